/** The registry of buckets: lookups in both directions agree, and empty buckets are removed. */

import { key } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { BucketRegistry } from '../../../src/graph/indexes/bucket-registry.ts';
import { Rows } from '../../../src/graph/rows/rows.ts';

const [x, y, z] = ['x', 'y', 'z'].map((name) => key(name)) as [string, string, string];
const rows = new Rows();
const [a, b] = [rows.take(key('a')), rows.take(key('b'))];

test('placing changes only the differences, and reports the previous counts', () => {
  const registry = new BucketRegistry<number>(rows);
  const touched: [string, number][] = [];
  const report = (bucket: string, count: number) => touched.push([bucket, count]);
  assert.ok(registry.place(a, [], [x, y], report));
  assert.ok(registry.place(b, [], [x]));
  assert.equal(touched.splice(0), [
    [x, 0],
    [y, 0],
  ]);
  assert.ok(registry.place(a, [x, y], [z, x], report));
  assert.equal(touched.splice(0).sort(), [
    [x, 2],
    [y, 1],
    [z, 0],
  ]);
  assert.equal([...registry.membersOf(x)].sort(), [a, b]);
  assert.equal([...registry.membersOf(y)], []);
  assert.not(registry.place(a, [z, x], [x, z], report), 'the same buckets in another order are not a move');
  assert.is(touched.length, 2, 'but its value may be another');
});

test('removed items leave nothing behind', () => {
  const registry = new BucketRegistry<number>(rows);
  const many = Array.from({ length: 50 }, (_, n) => key(`b${n}`));
  registry.place(a, [], many);
  registry.place(a, many, many.slice(10));
  assert.is(registry.size, 40);
  registry.place(a, many.slice(10), []);
  assert.is(registry.size, 0);
});

test.run();
