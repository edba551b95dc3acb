// Every field of every kind, at every level: an unknown or missing field, or another JSON type, is bad input and named.
import { assert, test } from '@meshrelay/testing';
import type { StructuralSchema } from '../../src/crds/mod.ts';
import { decodeObject, type FieldPath, formatFieldPath, kinds } from '../../src/mod.ts';
import { changed, type Place, places, sampleObject, schemaOf } from '../support/fields.ts';

/** Values none of which has the JSON type of the schema. */
const OTHERS: Readonly<Record<StructuralSchema['type'], readonly unknown[]>> = {
  object: ['text', 5, true, [], null],
  array: ['text', 5, true, {}, null],
  string: [5, true, [], {}, null],
  integer: ['5', 1.5, true, [], {}, null],
  number: ['5', true, [], {}, null],
  boolean: ['true', 1, [], {}, null],
};

for (const { kind } of kinds) {
  const whole = sampleObject(kind);
  const inside = places(schemaOf(kind)).filter(({ path }) => path[0] === 'spec' || path[0] === 'status');

  test(`a complete ${kind} has the right shape`, () => {
    const decoded = decodeObject(whole);
    assert.is(decoded.problems, undefined, JSON.stringify(decoded.problems));
    assert.equal(decoded.object, whole);
  });

  test(`${kind}: an unknown field is rejected at every level`, () => {
    for (const { path } of inside.filter(isStrict)) {
      const refused = problemFields(changed(whole, path, (old) => ({ ...(old as object), zzz: 1 })));
      assert.equal(refused, [formatFieldPath([...path, 'zzz'])]);
    }
  });

  test(`${kind}: __proto__ and constructor are ordinary unknown fields`, () => {
    for (const { path } of inside.filter(isStrict)) {
      const constructed = changed(whole, path, (old) => ({ ...(old as object), constructor: 1 }));
      assert.equal(problemFields(constructed), [formatFieldPath([...path, 'constructor'])]);
      const polluted = changed(whole, path, (old) =>
        JSON.parse(`{"__proto__": {}, ${JSON.stringify(old).slice(1)}`.replace(', }', '}')),
      );
      assert.equal(problemFields(polluted), [formatFieldPath([...path, '__proto__'])]);
    }
  });

  test(`${kind}: a wrong JSON type is rejected at every level`, () => {
    for (const { path, schema } of inside) {
      for (const other of OTHERS[schema.type]) {
        if (path[0] === 'status' && path.length === 1 && isEmpty(other)) continue;
        assert.equal(problemFields(changed(whole, path, () => other)), [formatFieldPath(path)], JSON.stringify(other));
      }
    }
  });

  test(`${kind}: a missing required field is rejected at every level`, () => {
    for (const { path } of inside.filter(({ required, path: steps }) => required && steps.length > 1)) {
      assert.equal(problemFields(changed(whole, path, () => undefined)), [formatFieldPath(path)]);
    }
    for (const path of [['spec'], ['metadata'], ['metadata', 'name'], ['kind'], ['apiVersion']] satisfies FieldPath[]) {
      assert.equal(problemFields(changed(whole, path, () => undefined)), [formatFieldPath(path)]);
    }
  });

  test(`${kind}: an omitted optional field is not a problem`, () => {
    for (const { path } of inside.filter(
      ({ required, path: steps }) => !required && typeof steps.at(-1) === 'string',
    )) {
      assert.equal(problemFields(changed(whole, path, () => undefined)), []);
    }
  });

  test(`${kind}: pruning drops exactly the unknown fields`, () => {
    for (const { path } of inside.filter(isStrict)) {
      const extended = changed(whole, path, (old) => ({ ...(old as object), zzz: { deep: [1] } }));
      assert.equal(decodeObject(extended, { unknownFields: 'prune' }).object, whole);
    }
  });
}

function isStrict({ schema }: Place): boolean {
  const open = schema.additionalProperties !== undefined || schema['x-kubernetes-preserve-unknown-fields'] === true;
  return schema.type === 'object' && !open;
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0 && !Array.isArray(value));
}

function problemFields(raw: unknown): string[] {
  return (decodeObject(raw).problems ?? []).map(({ field }) => field);
}

test.run();
