/** match: pairs updated by the differences from either side. */

import { key } from '@meshrelay/plugin';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { faults, freezingGraph, put, reported, shown, write } from '../support/freezing-graph.ts';

interface Policy {
  readonly labels: readonly string[];
  readonly min?: number;
}

interface Service {
  readonly labels: readonly string[];
  readonly size: number;
}

function make() {
  const graph = freezingGraph();
  const policies = graph.source<Policy>('policies');
  const services = graph.source<Service>('services');
  const pairs = graph.match('pairs', policies, services, {
    candidateBuckets: (policy) => {
      if (policy.labels.includes('bad')) throw new Error('bad label');
      return policy.labels.map((label) => key(label));
    },
    bucketsOf: (service) => {
      if (service.labels.includes('bad')) throw new Error('bad label');
      return service.labels.map((label) => key(label));
    },
    matches: (policy, service) => {
      if (service.size === 13) throw new Error('unlucky');
      return service.size >= (policy.min ?? 0);
    },
  });
  const looked = () => graph.counters().get('pairs')?.recomputed ?? 0;
  return { graph, policies, services, pairs, looked };
}

const small = { labels: ['app=a'], size: 1 };
const large = { labels: ['app=a', 'tier=web'], size: 5 };

test('a pair is a right item in any candidate bucket that matches', () => {
  const { graph, policies, services, pairs } = make();
  write(graph, services, { small, large, other: { labels: ['app=b'], size: 9 } });
  const changes = write(graph, policies, { p: { labels: ['app=a', 'tier=web'], min: 2 } });
  assert.equal(reported(changes.of(pairs)), [
    [`${key('p')}/${key('large')}`, undefined, { left: key('p'), right: key('large') }],
  ]);
  write(graph, policies, { p: { labels: ['app=a'] } });
  assert.is(pairs.size, 2);
  write(graph, services, { small: { labels: ['app=b'], size: 1 }, large: undefined });
  assert.is(pairs.size, 0);
});

test('a change checks only the pairs of its own buckets, and an unchanged set of pairs emits nothing', () => {
  const { graph, policies, services, pairs, looked } = make();
  const fleet = Array.from({ length: 200 }, (_, n) => [`s${n}`, { labels: [`app=${n}`], size: 1 }] as const);
  write(graph, services, Object.fromEntries(fleet));
  write(graph, policies, Object.fromEntries(fleet.map(([name, { labels }]) => [`p${name}`, { labels }])));
  assert.is(pairs.size, 200);
  const before = looked();
  assert.is(write(graph, services, { s7: { labels: ['app=7'], size: 2 } }).of(pairs).length, 0);
  assert.is(write(graph, policies, { ps9: { labels: ['app=9'], min: 1 } }).of(pairs).length, 0);
  assert.is(looked() - before, 2);
  graph.commit((transaction) => {
    transaction.set(services, key('s7'), { labels: ['app=7'], size: 3 });
    transaction.set(policies, key('ps7'), { labels: ['app=7'], min: 3 });
  });
  assert.is(looked() - before, 3, 'a pair with both sides changed is looked at once');
});

test('an item whose bucket function throws keeps its buckets, with its new value', () => {
  const { graph, policies, services, pairs } = make();
  write(graph, services, { small, large });
  write(graph, policies, { p: { labels: ['app=a'] } });
  write(graph, policies, { p: { labels: ['bad'], min: 2 } });
  assert.is(pairs.size, 1);
  write(graph, services, { large: { labels: ['bad'], size: 1 } });
  assert.is(pairs.size, 0);
  assert.equal(faults(graph), ['pairs: large: bad label', 'pairs: p: bad label']);
  write(graph, services, { large: undefined });
  write(graph, policies, { p: { labels: ['tier=web'] } });
  assert.equal(faults(graph), []);
});

test('a pair for which `matches` throws stays unchanged until one side changes', () => {
  const { graph, policies, services, pairs } = make();
  write(graph, services, { small, large });
  write(graph, policies, { p: { labels: ['app=a'] }, q: { labels: ['app=a'], min: 2 } });
  assert.is(pairs.size, 3);
  write(graph, services, { small: { labels: ['app=a'], size: 13 } });
  assert.is(pairs.size, 3);
  assert.equal(faults(graph), [
    `pairs: ${key('p')}/${key('small')}: unlucky`,
    `pairs: ${key('q')}/${key('small')}: unlucky`,
  ]);
  write(graph, policies, { p: { labels: ['app=b'] } });
  assert.is(pairs.size, 1, 'no longer a candidate');
  assert.is(faults(graph).length, 1);
  write(graph, services, { small: { labels: ['app=a'], size: 2 } });
  assert.equal(faults(graph), []);
  assert.is(pairs.size, 2);
});

test('one policy over very many services can yield between them', async () => {
  const { graph, policies, services, pairs } = make();
  const fleet = Array.from({ length: 1000 }, (_, n) => [`s${n}`, { labels: ['all'], size: 1 }] as const);
  write(graph, services, Object.fromEntries(fleet));
  for (const policy of [{ labels: ['all'] }, { labels: ['none'] }]) {
    let pauses = 0;
    const yieldOptions = {
      sliceMs: 0,
      now: () => 0,
      pause: async () => {
        pauses += 1;
      },
    };
    const before = pairs.size;
    await graph.commitYielding((transaction) => transaction.set(policies, key('p'), policy), yieldOptions);
    assert.ok(pauses > 15, `${pauses} pauses`);
    assert.is(pairs.size, before === 0 ? 1000 : 0);
  }
});

test('a collection can be matched with itself', () => {
  const graph = freezingGraph();
  const people = graph.source<{ name: string; friend: string }>('people');
  const pairs = graph.match('friends', people, people, {
    candidateBuckets: (person) => [key(person.friend)],
    bucketsOf: (person) => [key(person.name)],
    matches: () => true,
  });
  write(graph, people, { a: { name: 'a', friend: 'b' }, b: { name: 'b', friend: 'b' } });
  assert.is(Object.keys(shown(pairs)).length, 2);
  write(graph, people, { b: undefined });
  assert.is(pairs.size, 0);
});

test('searching an index gives the same pairs as `bucketsOf` with the same buckets', () => {
  const names = ['a', 'b', 'c'];
  const item = fc.uniqueArray(fc.constantFrom('x', 'y', 'z', 'bad'));
  const side = fc.dictionary(fc.constantFrom(...names), fc.option(item, { nil: undefined }));
  fc.assert(
    fc.property(fc.array(fc.record({ lefts: side, rights: side }), { maxLength: 8 }), (steps) => {
      const graph = freezingGraph();
      const lefts = graph.source<readonly string[]>('lefts');
      const rights = graph.source<readonly string[]>('rights');
      const buckets = (labels: readonly string[]) => {
        if (labels.includes('bad')) throw new Error('bad label');
        return labels.map((label) => key(label));
      };
      const search = {
        candidateBuckets: buckets,
        matches: (a: readonly string[], b: readonly string[]) => a.length <= b.length,
      };
      const byLabel = graph.index(rights, 'by label', buckets);
      const searched = graph.match('searched', lefts, byLabel, search);
      const matched = graph.match('matched', lefts, rights, { ...search, bucketsOf: buckets });
      for (const step of steps) {
        graph.commit((transaction) => {
          put(transaction, lefts, step.lefts);
          put(transaction, rights, step.rights);
        });
        assert.equal(shown(searched), shown(matched));
      }
    }),
    { numRuns: scaledRuns(500) },
  );
});

test('in an index, each item is also in the bucket of its own key', () => {
  const graph = freezingGraph();
  const lefts = graph.source<{ readonly names: readonly string[] }>('lefts');
  const rights = graph.source<{ readonly good: boolean }>('rights');
  const nowhere = graph.index(rights, 'nowhere', () => []);
  const pairs = graph.match('pairs', lefts, nowhere, {
    candidateBuckets: ({ names }) => names.map((name) => key(name)),
    matches: (_left, { good }) => good,
  });
  const found = () => [...pairs.entries()].map(([, { left, right }]) => [left, right]);
  write(graph, lefts, { l: { names: ['a', 'b'] } });
  write(graph, rights, { a: { good: true }, b: { good: false }, other: { good: true } });
  assert.equal(found(), [[key('l'), key('a')]]);
  write(graph, rights, { a: undefined, b: { good: true } });
  assert.equal(found(), [[key('l'), key('b')]]);
  write(graph, lefts, { l: { names: ['other'] } });
  assert.equal(found(), [[key('l'), key('other')]]);
  assert.equal(nowhere.countOf(key('other')), 0);
});

test('an item that cannot be indexed keeps its pairs, and the index reports it', () => {
  const graph = freezingGraph();
  const policies = graph.source<string>('policies');
  const services = graph.source<string>('services');
  const byName = graph.index(services, 'by name', (name) => {
    if (name === 'bad') throw new Error('no name');
    return [key(name)];
  });
  const pairs = graph.match('pairs', policies, byName, {
    candidateBuckets: (name) => [key(name)],
    matches: () => true,
  });
  write(graph, policies, { p: 'web' });
  write(graph, services, { s: 'web' });
  write(graph, services, { s: 'bad' });
  assert.is(pairs.size, 1);
  assert.is([...graph.quarantined.entries()][0]?.[1].node, 'by name');
  write(graph, services, { s: undefined });
  assert.is(pairs.size, 0);
  assert.is(graph.quarantined.size, 0);
});

test.run();
