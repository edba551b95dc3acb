/** JSON paths of columns, and ages. */
import { assert, test } from '@meshrelay/testing';
import type { Json } from '../../src/object.ts';
import { humanDuration } from '../../src/tables/age.ts';
import { parseJsonPath } from '../../src/tables/json-path.ts';

const DOCUMENT: Json = {
  spec: {
    list: [
      { n: 'a', v: 1 },
      { n: 'b', v: 2 },
    ],
    'dotted.name': 'x',
  },
  status: {
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'Synced', status: 'False' },
    ],
  },
};

for (const [path, found] of [
  ['.spec.list[1].n', ['b']],
  ['.spec.list[-1].v', [2]],
  ['.spec.list[*].n', ['a', 'b']],
  ['.status.conditions[?(@.type=="Ready")].status', ['True']],
  [".status.conditions[?(@.type=='Synced')].status", ['False']],
  ['.spec.list[?(@.v==2)].n', ['b']],
  ['.spec.dotted\\.name', ['x']],
  [".spec['dotted.name']", ['x']],
  ['.spec.missing.deep', []],
] as const)
  test(`path ${path}`, () => assert.equal(parseJsonPath(path)(DOCUMENT), found));

test('an invalid path is rejected by name', () => {
  assert.throws(() => parseJsonPath('.a[?('), /cannot understand/);
});

const S = 1000;
const M = 60 * S;
const H = 60 * M;
const D = 24 * H;

for (const [span, text] of [
  [-3 * S, '<invalid>'],
  [0, '0s'],
  [119 * S, '119s'],
  [2 * M, '2m'],
  [3 * M + 10 * S, '3m10s'],
  [10 * M + 59 * S, '10m'],
  [3 * H, '3h'],
  [7 * H + 30 * M, '7h30m'],
  [47 * H, '47h'],
  [2 * D + H, '2d1h'],
  [30 * D, '30d'],
  [800 * D, '2y70d'],
] as const)
  test(`${span} ms is ${text}`, () => assert.is(humanDuration(span), text));

test.run();
