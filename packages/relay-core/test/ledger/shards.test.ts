/**
 * Shards of the ledger: each decision is in the shard of its id. Only that shard is rewritten, and only removed entries
 * disappear.
 */
import type { Ledger } from '@meshrelay/api';
import { key } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { createFleetState, createGraph, type Decisions, LEDGER_SHARDS, shardsWith } from '../../src/mod.ts';
import { sha256 } from '../support/hash.ts';

const name = fc.stringMatching(/^[a-z]{1,3}$/);
const decisions: fc.Arbitrary<Decisions> = fc.record({
  policies: fc.array(
    fc.record({
      kind: fc.constant('TrafficPolicy'),
      cluster: fc.constantFrom('', 'c1'),
      namespace: fc.constant('n'),
      name,
      sequence: fc.nat(99),
    }),
    { maxLength: 4 },
  ),
  gone: fc.constant([]),
  vips: fc.array(fc.record({ host: name, address: fc.constantFrom('240.0.0.1', '240.0.0.2') }), { maxLength: 4 }),
  clusters: fc.array(fc.record({ name, firstSyncTime: fc.constantFrom('2024-01-01T00:00:00Z') }), {
    maxLength: 4,
  }) as fc.Arbitrary<Decisions['clusters']>,
});

/** The ledger after these decisions in sequence. */
function ledgerAfter(list: readonly Decisions[]): ReadonlyMap<string, Ledger> {
  const graph = createGraph();
  const fleetState = createFleetState(graph);
  for (const one of list) {
    const shards = shardsWith(fleetState, one, 'meshrelay', sha256);
    graph.commit((transaction) => {
      for (const shard of shards) transaction.set(fleetState.ledgers, key(shard.metadata.name), shard);
    });
  }
  return new Map([...fleetState.ledgers.entries()].map(([, shard]) => [shard.metadata.name, shard]));
}

test('every decision is in exactly one shard, the last of each id', () => {
  fc.assert(
    fc.property(fc.array(decisions, { maxLength: 4 }), (list) => {
      const shards = [...ledgerAfter(list).values()];
      const vips = shards.flatMap(({ spec }) => spec.vips ?? []);
      const last = new Map(list.flatMap((one) => one.vips).map((entry) => [entry.host, entry]));
      assert.equal(new Map(vips.map((entry) => [entry.host, entry])), last);
      assert.is(vips.length, last.size);
      const policies = shards.flatMap(({ spec }) => spec.policies ?? []);
      const lastPolicies = new Map(
        list.flatMap((one) => one.policies).map((entry) => [`${entry.cluster}/${entry.name}`, entry]),
      );
      assert.equal(new Map(policies.map((entry) => [`${entry.cluster}/${entry.name}`, entry])), lastPolicies);
      assert.is(
        shards.flatMap(({ spec }) => spec.clusters ?? []).length,
        new Set(list.flatMap((one) => one.clusters).map((one) => one.name)).size,
      );
    }),
  );
});

test('the number of shards stays within its limit, and entries are in order', () => {
  fc.assert(
    fc.property(fc.array(decisions, { maxLength: 3 }), (list) => {
      for (const [shard, { spec }] of ledgerAfter(list)) {
        assert.match(shard, /^ledger-\d+$/);
        assert.ok(Number(shard.slice('ledger-'.length)) < LEDGER_SHARDS);
        const hosts = (spec.vips ?? []).map(({ host }) => host);
        assert.equal(hosts, hosts.toSorted());
      }
    }),
  );
});

test('one decision rewrites one shard', () => {
  const graph = createGraph();
  const fleetState = createFleetState(graph);
  assert.is(
    shardsWith(
      fleetState,
      { policies: [], gone: [], vips: [{ host: 'a', address: '240.0.0.1' }], clusters: [] },
      'meshrelay',
      sha256,
    ).length,
    1,
  );
});

test('an entry in a wrong shard moves to its own', () => {
  const graph = createGraph();
  const fleetState = createFleetState(graph);
  const entry = { kind: 'TrafficPolicy', cluster: '', namespace: 'n', name: 'a', sequence: 1 };
  const stray: Ledger = {
    apiVersion: 'admin.meshrelay.dev/v1alpha1',
    kind: 'Ledger',
    metadata: { name: 'stray', namespace: 'meshrelay' },
    spec: { policies: [entry, { ...entry, name: 'b' }] },
  };
  graph.commit((transaction) => transaction.set(fleetState.ledgers, key('stray'), stray));
  const shards = shardsWith(fleetState, { policies: [entry], gone: [], vips: [], clusters: [] }, 'meshrelay', sha256);
  const found = shards.map(({ metadata, spec }) => [metadata.name, (spec.policies ?? []).map((one) => one.name)]);
  assert.is(found.length, 2);
  assert.equal(found[0], ['stray', ['b']]);
  assert.equal(found[1]?.[1], ['a']);
});

test('a decision reads its own shard only', () => {
  const graph = createGraph();
  const fleetState = createFleetState(graph);
  const entry = (name: string) => ({ kind: 'TrafficPolicy', cluster: '', namespace: 'n', name, sequence: 1 });
  const names = Array.from({ length: 40 }, (_, position) => `p${position}`);
  const first = shardsWith(fleetState, { policies: names.map(entry), gone: [], vips: [], clusters: [] }, 'm', sha256);
  const looked: string[] = [];
  graph.commit((transaction) => {
    for (const { spec, ...shard } of first) {
      const { name } = shard.metadata;
      const policies = { get: () => looked.push(name) > 0 && (spec.policies ?? []), enumerable: true };
      transaction.set(fleetState.ledgers, key(name), { ...shard, spec: Object.defineProperties({}, { policies }) });
    }
  });
  looked.length = 0;
  const edited = { ...entry('p7'), lastAcceptedGeneration: 2 };
  const [shard, ...others] = shardsWith(
    fleetState,
    { policies: [edited], gone: [], vips: [], clusters: [] },
    'm',
    sha256,
  );
  assert.equal(others, []);
  assert.equal([...new Set(looked)], [shard?.metadata.name]);
});

test('only a deleted entry is removed from its shard', () => {
  const entry = (name: string) => ({ kind: 'TrafficPolicy', cluster: '', namespace: 'n', name, sequence: 1 });
  const names = ['a', 'b', 'c', 'd'];
  const shards = ledgerAfter([
    { policies: names.map(entry), gone: [], vips: [], clusters: [] },
    { policies: [], gone: [entry('b')], vips: [], clusters: [] },
  ]);
  const left = [...shards.values()].flatMap(({ spec }) => spec.policies ?? []).map(({ name: one }) => one);
  assert.equal(left.sort(), ['a', 'c', 'd']);
});

test.run();
