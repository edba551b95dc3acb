/** Canonical JSON: one text for one content. */
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { canonicalJson } from '../../src/mod.ts';

function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  const result: Record<string, unknown> = Object.create(null);
  for (const [name, field] of Object.entries(value).toReversed()) result[name] = shuffled(field);
  return result;
}

test('the order of fields does not matter; everything else does', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      assert.is(canonicalJson(shuffled(a)), canonicalJson(a));
      assert.equal(JSON.parse(canonicalJson(a)), JSON.parse(JSON.stringify(a)));
      assert.is(
        canonicalJson(a) === canonicalJson(b),
        JSON.stringify(shuffled(shuffled(sorted(a)))) === JSON.stringify(shuffled(shuffled(sorted(b)))),
      );
    }),
    { numRuns: scaledRuns(1000) },
  );
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const result: Record<string, unknown> = Object.create(null);
  for (const [name, field] of Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) result[name] = sorted(field);
  return result;
}

test('undefined members are omitted, and a __proto__ field is an ordinary field', () => {
  assert.is(canonicalJson({ b: 1, a: undefined }), '{"b":1}');
  assert.is(canonicalJson(JSON.parse('{"__proto__":{"x":1},"a":1}')), '{"__proto__":{"x":1},"a":1}');
});

test.run();
