/** First members of large buckets, without sorting the whole bucket. */

import { type Key, key } from '@meshrelay/plugin';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { FirstMembers } from '../../../src/graph/indexes/first-members.ts';
import { compareKeys } from '../../../src/mod.ts';
import { freezingGraph, write } from '../support/freezing-graph.ts';

const keyOf = (row: number): Key => key(`m${(row * 7919) % 1000}`);

test('the first members are those of the sorted bucket, after any additions and removals', () => {
  const step = fc.record({ row: fc.nat(200), asks: fc.option(fc.nat(80), { nil: undefined }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const beginnings = new FirstMembers(keyOf);
      const members = new Set<number>();
      for (const { row, asks } of steps) {
        if (members.delete(row)) beginnings.remove(0, row);
        else {
          members.add(row);
          beginnings.add(0, row);
        }
        const max = Math.min(asks ?? 0, members.size);
        if (asks === undefined) continue;
        const required = [...members].sort((a, b) => compareKeys(keyOf(a), keyOf(b))).slice(0, max);
        assert.equal(
          beginnings.of(0, max, () => members),
          required,
        );
      }
    }),
    { numRuns: scaledRuns(300) },
  );
});

test('an added or removed member does not reread the others', () => {
  let reads = 0;
  const beginnings = new FirstMembers((row) => {
    reads += 1;
    return keyOf(row);
  });
  const members = new Set(Array.from({ length: 900 }, (_, row) => row));
  beginnings.of(0, 20, () => members);
  reads = 0;
  for (let row = 900; row < 1000; row++) {
    members.add(row);
    beginnings.add(0, row);
    beginnings.of(0, 20, () => members);
  }
  assert.ok(reads < 100 * 10, `${reads} looks`);
});

test('a relation returns the first members of small and large buckets alike', () => {
  const graph = freezingGraph();
  const lefts = graph.source<string>('lefts');
  const rights = graph.source<string>('rights');
  const byLabel = graph.index(rights, 'by label', (label) => [key(label)]);
  const relation = graph.relate('related', lefts, byLabel, {
    candidateBuckets: (label) => [key(label)],
    matches: () => true,
  });
  const first = graph.derive('first', lefts, (_label, read, at) =>
    read.first(relation.rights, at, 3).map(([one]) => one),
  );
  const some = (from: number, to: number, label: string) =>
    Object.fromEntries(Array.from({ length: to - from }, (_, at) => [`s${String(from + at).padStart(4, '0')}`, label]));
  const seen = (): readonly Key[] => first.get(key('p')) ?? [];
  const required = (): readonly Key[] =>
    relation.rights
      .entriesOf(key('p'))
      .slice(0, 3)
      .map(([one]) => one);
  write(graph, lefts, { p: 'a' });
  for (const items of [
    some(500, 600, 'a'),
    some(600, 1500, 'a'),
    some(490, 495, 'a'),
    some(490, 492, 'b'),
    some(480, 1400, 'b'),
  ]) {
    write(graph, rights, items);
    assert.is(seen().length, 3);
    assert.equal(seen(), required());
  }
});

test.run();
