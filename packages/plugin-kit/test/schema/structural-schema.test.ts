/** The strict validator of structural schemas rejects invalid values, and names their location. */
import { assert, test } from '@meshrelay/testing';
import { type StructuralSchema, schemaProblems } from '../../src/schema/structural-schema.ts';

const schema: StructuralSchema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 1, pattern: '^[a-z]+$' },
    mode: { type: 'string', enum: ['A', 'B'] },
    weights: { type: 'array', maxItems: 2, items: { type: 'integer', minimum: 0, maximum: 100 } },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    port: { 'x-kubernetes-int-or-string': true },
    either: {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    },
  },
};

test('accepts valid values', () => {
  const value = {
    name: 'x',
    mode: 'A',
    weights: [0, 100],
    labels: { any: 'thing' },
    free: { x: { y: 1 } },
    port: 80,
    either: { a: '' },
  };
  assert.equal(schemaProblems(schema, value, ''), []);
});

for (const [what, value, problem] of [
  ['a missing field', {}, '.name: is required'],
  ['an unknown field', { name: 'x', nam: 1 }, '.nam: is not a known field'],
  ['an unknown field further down', { name: 'x', either: { a: '', c: '' } }, '.either.c: is not a known field'],
  ['a wrong type', { name: 1 }, '.name: must be of type string, is integer'],
  ['a fraction for an integer', { name: 'x', weights: [0.5] }, '.weights[0]: must be of type integer, is number'],
  ['null', { name: null }, '.name: must not be null'],
  ['a value out of range', { name: 'x', weights: [101] }, '.weights[0]: value must be at most 100, is 101'],
  ['too many items', { name: 'x', weights: [1, 2, 3] }, '.weights: number of items must be at most 2, is 3'],
  ['a value outside an enum', { name: 'x', mode: 'C' }, '.mode: C is not one of A, B'],
  ['text that does not match', { name: 'X' }, '.name: X does not match ^[a-z]+$'],
  ['a map value of a wrong type', { name: 'x', labels: { a: 1 } }, '.labels.a: must be of type string, is integer'],
  [
    'both of a union',
    { name: 'x', either: { a: '', b: '' } },
    '.either: must fit exactly one of 2 alternatives, fits 2',
  ],
  ['neither of a union', { name: 'x', either: {} }, '.either: must fit exactly one of 2 alternatives, fits 0'],
] as const) {
  test(`rejects ${what}`, () => assert.equal(schemaProblems(schema, value, ''), [problem]));
}

test.run();
