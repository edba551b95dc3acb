/** meshctl reads unquoted strings as kubectl does, and every YAML version reads meshctl's output back unchanged. */
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { parse } from 'yaml';
import { readDocuments } from '../src/input/documents.ts';
import { KUBERNETES_YAML } from '../src/input/kubernetes-yaml.ts';
import { format } from '../src/output/format.ts';

/** From kubectl's parser: go.yaml.in/yaml/v2. */
const READ: ReadonlyArray<readonly [text: string, value: unknown]> = [
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'on', 'On', 'ON', 'true'].map((text) => [text, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'off', 'Off', 'OFF', 'False'].map((text) => [text, false] as const),
  ...['yES', 'oN', 'tRUE', 'yes please'].map((text) => [text, text] as const),
  ...['~', 'null', ''].map((text) => [text, null] as const),
  ...['8', '8_', '+8', '010', '0o10', '0b1000', '0x8', '0_8', '08'].map((text) => [text, 8] as const),
  ...['-8', '-0x8', '-010'].map((text) => [text, -8] as const),
  ...['0', '-0', '0_', '00'].map((text) => [text, text === '-0' ? -0 : 0] as const),
  ['1_000.5', 1000.5],
  ['-.5', -0.5],
  ['.5e3', 500],
  ['.5_0', 0.5],
  ['1e+3', 1000],
  ['12e5', 1_200_000],
  ['-1_.', -1],
  ['12_3e-1', 12.3],
  ...['.', '1:30', '2001-01-01', '10.1.1.1', '_1', '0b', '0b2', '0x', '1e', '1e999', 'v1'].map(
    (text) => [text, text] as const,
  ),
];

test('unquoted strings are read as kubectl reads them', () => {
  for (const [text, value] of READ) {
    const [document] = readDocuments({ path: 'a.yaml', text: `value: ${text}\nname: a\n` });
    assert.equal(document?.value, { value, name: 'a' }, text);
  }
});

test('a map merges the fields of another', () => {
  const [document] = readDocuments({ path: 'a.yaml', text: 'a: &a { b: 1, c: 2 }\nd: { <<: *a, c: 3 }\n' });
  assert.equal(document?.value, { a: { b: 1, c: 2 }, d: { b: 1, c: 3 } });
});

test('a field is written so that no parser reads it as a merge key', () => {
  assert.is(format({ '<<': 0 }, 'yaml'), '"<<": 0\n');
});

const anyText = fc.oneof(
  fc.constantFrom(...READ.map(([text]) => text)),
  fc.string({ unit: fc.constantFrom(...'01789_.+-eEbBoOxXyYnN~<:=') }),
  fc.string(),
);

test('output is read back unchanged, by kubectl and by YAML 1.2', () => {
  const values = fc.dictionary(
    anyText.filter((name) => name !== '__proto__'),
    fc.oneof(
      anyText,
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
    ),
  );
  fc.assert(
    fc.property(values, (value) => {
      const text = format(value, 'yaml');
      const expected = JSON.parse(JSON.stringify(value)) as unknown;
      assert.equal(parse(text), expected);
      assert.equal(parse(text, KUBERNETES_YAML), expected);
    }),
    { numRuns: scaledRuns(2000) },
  );
});

test.run();
