/** relation: the pairs of a match, looked up from either side. */

import { type Key, key } from '@meshrelay/plugin';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { faults, freezingGraph, put, write } from '../support/freezing-graph.ts';

interface Policy {
  readonly app: string;
  readonly timeout: number;
}

interface Service {
  readonly app: string;
  readonly port: number;
}

function make() {
  const graph = freezingGraph();
  const policies = graph.source<Policy>('policies');
  const services = graph.source<Service>('services');
  const byApp = graph.index(services, 'services by app', ({ app }) => [key(app)]);
  const targets = graph.relate('targets', policies, byApp, {
    candidateBuckets: ({ app }) => [key(app)],
    matches: (_policy, { port }) => port > 0,
  });
  const runs = (node: string) => graph.counters().get(node)?.recomputed ?? 0;
  return { graph, policies, services, targets, runs };
}

test('a right item finds its left items with values, a left item its right items, each in key order', () => {
  const { graph, policies, services, targets } = make();
  write(graph, services, { web: { app: 'a', port: 1 }, api: { app: 'a', port: 1 }, other: { app: 'b', port: 1 } });
  write(graph, policies, { slow: { app: 'a', timeout: 9 }, fast: { app: 'a', timeout: 1 } });
  assert.equal(targets.lefts.entriesOf(key('web')), [
    [key('fast'), { app: 'a', timeout: 1 }],
    [key('slow'), { app: 'a', timeout: 9 }],
  ]);
  assert.equal(targets.rights.entriesOf(key('slow')), [
    [key('api'), true],
    [key('web'), true],
  ]);
  assert.is(targets.lefts.countOf(key('other')), 0);
  assert.is(targets.rights.countOf(key('missing')), 0);
});

test('a changed left item reruns readers from its rights; a changed right item reruns only readers of pairs it lost', () => {
  const { graph, policies, services, targets, runs } = make();
  graph.derive('timeouts', services, (_service, read, at) => read.by(targets.lefts, at).map(([, one]) => one.timeout));
  graph.derive('counts', services, (_service, read, at) => read.count(targets.lefts, at));
  graph.derive('targeted', policies, (_policy, read, at) => read.by(targets.rights, at).map(([service]) => service));
  write(graph, services, { web: { app: 'a', port: 1 }, other: { app: 'b', port: 1 } });
  write(graph, policies, { p: { app: 'a', timeout: 1 }, q: { app: 'b', timeout: 1 } });
  const all = ['timeouts', 'counts', 'targeted'];
  const before = all.map(runs);
  const since = () => all.map((node, at) => runs(node) - (before[at] ?? 0));
  write(graph, policies, { p: { app: 'a', timeout: 2 } });
  assert.equal(since(), [1, 0, 1], 'the policy is an item of "targeted" itself');
  write(graph, services, { web: { app: 'a', port: 2 } });
  assert.equal(since(), [2, 1, 1], 'as is the service of the others');
  write(graph, services, { web: { app: 'a', port: 0 } });
  assert.equal(since(), [3, 2, 2]);
});

test('lookups from either side equal the pairs of a match, after any changes, compactions and errors', () => {
  const names = ['a', 'b', 'c'];
  const item = fc.record({
    labels: fc.uniqueArray(fc.constantFrom('x', 'y', 'bad')),
    size: fc.constantFrom(1, 2, 3, 13),
  });
  const side = fc.dictionary(fc.constantFrom(...names), fc.option(item, { nil: undefined }));
  const steps = fc.array(fc.record({ lefts: side, rights: side, rests: fc.boolean() }), { maxLength: 8 });
  interface Item {
    readonly labels: readonly string[];
    readonly size: number;
  }
  fc.assert(
    fc.property(steps, (history) => {
      const graph = freezingGraph();
      const lefts = graph.source<Item>('lefts');
      const rights = graph.source<Item>('rights');
      const buckets = ({ labels }: Item): Key[] => {
        if (labels.includes('bad')) throw new Error('bad label');
        return labels.map((label) => key(label));
      };
      const search = {
        candidateBuckets: buckets,
        matches: (left: Item, right: Item) => {
          if (left.size + right.size === 26) throw new Error('unlucky');
          return left.size <= right.size;
        },
      };
      const byLabel = graph.index(rights, 'by label', buckets);
      const pairs = graph.match('matched', lefts, byLabel, search);
      const relation = graph.relate('related', lefts, byLabel, search);
      const read = (of: typeof relation.lefts | typeof relation.rights, bucket: Key) =>
        ({ entries: [...of.entriesOf(bucket)], count: of.countOf(bucket), any: of.countOf(bucket) > 0 }) as const;
      const fromRights = graph.derive('from rights', rights, (_right, read, at) => ({
        entries: read.by(relation.lefts, at),
        count: read.count(relation.lefts, at),
        any: read.any(relation.lefts, at),
      }));
      const fromLefts = graph.derive('from lefts', lefts, (_left, read, at) => ({
        entries: read.by(relation.rights, at),
        count: read.count(relation.rights, at),
        any: read.any(relation.rights, at),
      }));
      // Reads that are not under the reader's own key.
      const aside = graph.derive('aside', rights, (_right, read) =>
        names.map((name) => read.by(relation.lefts, key(name))),
      );
      for (const step of history) {
        if (step.rests) graph.compact();
        graph.commit((transaction) => {
          put(transaction, lefts, step.lefts);
          put(transaction, rights, step.rights);
        });
        const found = [...pairs.entries()]
          .map(([, pair]) => pair)
          .sort((a, b) => (a.left < b.left ? -1 : a.left > b.left ? 1 : a.right < b.right ? -1 : 1));
        for (const name of names) {
          const [at, others] = [key(name), found];
          const candidateLefts = others.filter(({ right }) => right === at).map(({ left }) => [left, lefts.get(left)]);
          const candidateRights = others.filter(({ left }) => left === at).map(({ right }) => [right, true]);
          assert.equal(read(relation.lefts, at).entries, candidateLefts);
          assert.equal(read(relation.rights, at).entries, candidateRights);
          if (rights.has(at)) assert.equal(fromRights.get(at), read(relation.lefts, at));
          if (lefts.has(at)) assert.equal(fromLefts.get(at), read(relation.rights, at));
        }
        for (const [, seen] of aside.entries())
          assert.equal(
            seen,
            names.map((name) => [...relation.lefts.entriesOf(key(name))]),
          );
        assert.equal(
          faults(graph).filter((one) => one.startsWith('related')),
          faults(graph)
            .filter((one) => one.startsWith('matched'))
            .map((one) => one.replace('matched', 'related')),
        );
      }
    }),
    { numRuns: scaledRuns(1000) },
  );
});

test('outside readers see the last finished commit until the running one ends', async () => {
  const { graph, policies, services, targets } = make();
  const fleet = Array.from({ length: 200 }, (_, n) => [`s${n}`, { app: 'a', port: 1 }] as const);
  write(graph, services, Object.fromEntries(fleet));
  write(graph, policies, { p: { app: 'a', timeout: 1 } });
  const seen = () => ({
    lefts: targets.lefts.entriesOf(key('s7')),
    rights: targets.rights.countOf(key('p')),
    comes: targets.rights.entriesOf(key('q')),
  });
  const before = seen();
  let pauses = 0;
  const yieldOptions = {
    sliceMs: 0,
    now: () => 0,
    pause: async () => {
      pauses += 1;
      assert.equal(seen(), before);
    },
  };
  await graph.commitYielding((transaction) => {
    transaction.set(policies, key('p'), { app: 'b', timeout: 2 });
    transaction.set(policies, key('q'), { app: 'a', timeout: 3 });
    transaction.delete(services, key('s3'));
  }, yieldOptions);
  assert.ok(pauses > 5, `${pauses} pauses`);
  assert.equal(seen().lefts, [[key('q'), { app: 'a', timeout: 3 }]]);
  assert.is(seen().rights, 0);
  assert.is(seen().comes.length, 199);
});

test('a match uses an index of a collection; one side of a relation is rejected', () => {
  const { graph, policies, targets } = make();
  assert.throws(
    () => graph.match('again', policies, targets.rights, { candidateBuckets: () => [], matches: () => true }),
    /targets\/rights is not a collection's index of this graph/,
  );
});

test.run();
