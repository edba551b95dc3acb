/** Equality of plain data: values with the same serialized output are equal, and no others. */
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { deepEqual } from '../../src/graph/deep-equal.ts';

test('values equal their copies', () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true, withTypedArray: false }), (value) => {
      assert.ok(deepEqual(value, structuredCloneOfPlain(value)));
    }),
  );
});

test('JSON values are equal exactly if their JSON is', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 3 }), (a, b) => {
      const zeros = JSON.stringify([a, b]).includes('-0') || Object.is(a, -0) || Object.is(b, -0);
      fc.pre(!zeros);
      assert.is(deepEqual(a, b), JSON.stringify(a) === JSON.stringify(b));
    }),
  );
});

test('edge cases', () => {
  assert.ok(deepEqual(Number.NaN, Number.NaN));
  assert.not(deepEqual(0, -0), 'a quotient would differ');
  assert.not(deepEqual({ a: undefined }, {}), 'missing is not undefined');
  assert.not(deepEqual({ a: undefined }, { b: undefined }));
  assert.not(deepEqual({ a: 1, b: 2 }, { b: 2, a: 1 }), 'order shows in output');
  assert.not(deepEqual([1, [2]], [1, [3]]));
  assert.not(deepEqual([], {}));
  assert.not(deepEqual(null, {}));
  assert.not(deepEqual(undefined, null));
  assert.not(deepEqual(1n, 1));
  assert.ok(deepEqual(JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"a":1}}')));
  assert.not(deepEqual(JSON.parse('{"__proto__":{"a":1}}'), {}));
});

test('byte arrays are compared by their bytes', () => {
  assert.ok(deepEqual({ b: Uint8Array.of(1, 2) }, { b: Uint8Array.of(1, 2) }));
  assert.not(deepEqual(Uint8Array.of(1, 2), Uint8Array.of(1, 3)));
  assert.not(deepEqual(Uint8Array.of(1), Uint8Array.of(1, 0)));
  assert.not(deepEqual(Uint8Array.of(1), [1]));
});

test('a value that is not plain data equals only itself', () => {
  const date = new Date(0);
  assert.ok(deepEqual({ date }, { date }));
  assert.not(deepEqual(date, new Date(0)));
  assert.not(deepEqual(new Map([[1, 1]]), new Map([[1, 1]])));
});

/** Copies plain data including null prototypes; returns other values unchanged. */
function structuredCloneOfPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(structuredCloneOfPlain);
  if (typeof value !== 'object' || value === null) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return value;
  const copy = Object.create(prototype as object | null) as Record<string, unknown>;
  for (const [name, member] of Object.entries(value)) {
    Object.defineProperty(copy, name, {
      value: structuredCloneOfPlain(member),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return copy;
}

test.run();
