/** Random files: they are read, or rejected with a reason; no other error is thrown and no prototype is changed. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CORE_WATCHES } from '@meshrelay/relay-core';
import { assert, scaledRuns, temporaryFolder, test } from '@meshrelay/testing';
import { holdAtRandom, seedOfThisRun } from '@meshrelay/testing/random-runs';
import fc from 'fast-check';
import { readObjects } from '../src/input/read-objects.ts';
import { InputError } from '../src/problem.ts';

/** Documents in one run of CI. */
const RUNS = scaledRuns(5000);

const SOUND = [
  'apiVersion: v1\nkind: Service\nmetadata: {name: cart, namespace: shop, labels: {app: cart}}\nspec: {ports: [{port: 80}]}\n',
  'apiVersion: networking.meshrelay.dev/v1alpha1\nkind: TrafficPolicy\nmetadata:\n  name: one\nspec:\n  policy:\n    requestTimeout: 1s\n',
  'kind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: a\n',
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"mesh":"b"}}\n',
];

const SNIPPETS = [
  ...[
    '__proto__: {polluted: 1}\n',
    '"constructor": {"prototype": {"polluted": 1}}\n',
    '<<: *a\n',
    '&a [*a]',
    '*a',
    '&a',
    '!!js/function x',
    '!!binary "%"',
  ],
  ...[
    '%YAML 9.9\n---\n',
    '---\n',
    '...\n',
    '\t',
    '\u0000',
    '\ud800',
    '\u2028',
    '|+\n',
    '>-\n',
    '? ',
    '- ',
    ': ',
    '{',
    '}',
    '[',
    ']',
    '"',
    "'",
    '#',
    '\\',
  ],
  ...[
    'null',
    '~',
    '.inf',
    '.nan',
    '0x1F',
    '1e999',
    '2001-01-01',
    'yes',
    '[[[[]]]]',
    '{{a}}',
    '['.repeat(3000),
    '{"a":'.repeat(3000),
    'x'.repeat(50_000),
  ],
  ...[
    'kind: List\n',
    'items: [null, 1, [], {}]\n',
    'metadata: null\n',
    'metadata: {name: 7}\n',
    'apiVersion: 1\n',
    'spec: []\n',
  ],
  `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c]\n`,
];

/** A valid document, with parts removed and others inserted. */
const documents = fc
  .record({
    sound: fc.array(fc.constantFrom(...SOUND), { minLength: 1, maxLength: 3 }),
    cuts: fc.array(
      fc.record({
        at: fc.nat(400),
        length: fc.nat(12),
        put: fc.oneof(fc.constantFrom(...SNIPPETS), fc.string({ unit: 'binary', maxLength: 6 })),
      }),
      { maxLength: 4 },
    ),
  })
  .map(({ sound, cuts }) =>
    cuts.reduce((text, { at, length, put }) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + put + text.slice(place + length);
    }, sound.join('---\n')),
  );

test('a file is read, or rejected with a reason', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'some.yaml');
  const seen = { read: 0, refused: 0 };
  const intact = Object.getOwnPropertyNames(Object.prototype).length;
  holdAtRandom({
    what: 'documents',
    values: documents,
    runs: RUNS,
    seed: seedOfThisRun(5),
    report: console.log,
    property: (text) => {
      writeFileSync(path, text);
      try {
        readObjects([path], CORE_WATCHES);
        seen.read += 1;
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        if (!error.message.includes('some.yaml')) throw new Error(`the file is not named: ${error.message}`);
        seen.refused += 1;
      }
      if (Object.getOwnPropertyNames(Object.prototype).length !== intact)
        throw new Error('Object.prototype has new members');
    },
  });
  assert.ok(seen.read > RUNS / 20 && seen.refused > RUNS / 20, JSON.stringify(seen));
});

test.run();
