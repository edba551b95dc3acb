/**
 * Virtual IPs over time: assigned once, to one host. Later additions, deletions, returns and restarts do not change
 * them.
 */
import type { KubeObject, LedgerSpec } from '@meshrelay/api';
import { key } from '@meshrelay/plugin';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { type ControlPlane, settle } from '../../src/mod.ts';
import { BASE } from '../support/base-fleet.ts';
import { fakePlugin } from '../support/fake-plugin.ts';
import { apply, type Event, emptyPlane, finalState, histories, planeOf, saidBy } from '../support/fleet-states.ts';
import { sha256 } from '../support/hash.ts';
import type { Placed } from '../support/placed.ts';

const options = { plugins: [fakePlugin()], hash: sha256 };
const RUNS = scaledRuns(60);

/** Histories in which only Meshrelay writes the ledger. */
const withoutLedgers = histories.map((history): Event[][] =>
  history.map((events) => events.filter(({ object }) => object.kind !== 'Ledger')),
);

function addresses({ fleetState }: ControlPlane): Map<string, string> {
  return new Map([...fleetState.ledgerVips.entries()].map(([, { host, address }]) => [host, address]));
}

function ledgerOf({ fleetState }: ControlPlane): Placed[] {
  return [...fleetState.ledgers.entries()].map(([, object]) => ({
    cluster: '',
    object: object as unknown as KubeObject,
  }));
}

test('an assigned address stays, and no two hosts share one, after any additions, deletions and returns', () => {
  fc.assert(
    fc.property(withoutLedgers, (history) => {
      const plane = emptyPlane();
      const first = new Map<string, string>();
      for (const events of [...history, ...history]) {
        apply(plane, events);
        settle(plane, options);
        const now = addresses(plane);
        assert.is(new Set(now.values()).size, now.size, 'an address is there twice');
        for (const [host, address] of first) assert.is(now.get(host), address, host);
        for (const [host, address] of now) first.set(host, address);
      }
    }),
    { numRuns: RUNS },
  );
});

test('after a restart, or on another replica with the same ledger, no decision is repeated and the output is the same', () => {
  fc.assert(
    fc.property(withoutLedgers, (history) => {
      const plane = emptyPlane();
      for (const events of history) {
        apply(plane, events);
        settle(plane, options);
      }
      const state = finalState(history);
      const restarted = planeOf([...ledgerOf(plane), ...state.toReversed()]);
      assert.is(restarted.pendingDecisions.hosts.size, 0);
      assert.equal(addresses(restarted), addresses(plane));
      assert.equal(saidBy(restarted), saidBy(plane));
    }),
    { numRuns: RUNS },
  );
});

test('two replicas that decide independently on the same fleet assign the same addresses', () => {
  fc.assert(
    fc.property(withoutLedgers, (history) => {
      const state = finalState(history);
      const [one, other] = [planeOf(state), planeOf(state.toReversed())];
      settle(one, options);
      settle(other, options);
      assert.equal(addresses(one), addresses(other));
    }),
    { numRuns: RUNS },
  );
});

test('a cluster that leaves and returns gets the same addresses for its hostnames', () => {
  const fleetState = BASE.filter(({ object }) => object.kind !== 'Ledger');
  const plane = planeOf(fleetState);
  settle(plane, options);
  const before = addresses(plane);
  const ofC1 = fleetState.filter(({ cluster }) => cluster === 'c1');
  apply(
    plane,
    ofC1.map((one) => ({ ...one, gone: true })),
  );
  settle(plane, options);
  assert.is([...plane.desired.entries()].filter(([, { object }]) => object.metadata.name.endsWith('.c1')).length, 0);
  apply(
    plane,
    ofC1.map((one) => ({ ...one, gone: false })),
  );
  settle(plane, options);
  assert.equal(addresses(plane), before);
});

test('if a ledger assigns one address to two hosts, the next decision corrects it: the first by name keeps it', () => {
  const restored = {
    apiVersion: 'admin.meshrelay.dev/v1alpha1',
    kind: 'Ledger',
    metadata: { name: 'ledger-restored', namespace: 'meshrelay' },
    spec: {
      vips: [
        { host: 'a.x.svc.c2.global', address: '240.0.0.7' },
        { host: 'a.x.svc.c1.global', address: '240.0.0.7' },
      ],
    },
  };
  const plane = planeOf(BASE.filter(({ object }) => object.kind !== 'Ledger'));
  plane.graph.commit((transaction) =>
    transaction.set(plane.fleetState.ledgers, key('ledger-restored'), restored as never),
  );
  settle(plane, options);
  const now = addresses(plane);
  assert.is(now.get('a.x.svc.c1.global'), '240.0.0.7');
  assert.is(new Set(now.values()).size, now.size);
  const entries = ledgerOf(plane).flatMap(({ object }) => (object['spec'] as LedgerSpec).vips ?? []);
  assert.is(entries.length, now.size, 'every host stands in one shard');
});

test('a later host gets the next free address, whatever the ledger has assigned', () => {
  const hash = () => '0'.repeat(32);
  const later = BASE.filter(({ cluster, object }) => cluster === 'c1' && object.kind === 'Destination');
  const plane = planeOf(BASE.filter((one) => one.object.kind !== 'Ledger' && !later.includes(one)));
  const byHand = {
    apiVersion: 'admin.meshrelay.dev/v1alpha1',
    kind: 'Ledger',
    metadata: { name: 'by-hand', namespace: 'meshrelay' },
    spec: { vips: [{ host: 'of.another', address: '240.0.0.2' }] },
  };
  plane.graph.commit((transaction) => transaction.set(plane.fleetState.ledgers, key('by-hand'), byHand as never));
  settle(plane, { ...options, hash });
  const before = addresses(plane);
  assert.equal([...before.values()].sort(), ['240.0.0.1', '240.0.0.2', '240.0.0.3']);
  apply(
    plane,
    later.map((one) => ({ ...one, gone: false })),
  );
  settle(plane, { ...options, hash });
  const after = addresses(plane);
  for (const [host, address] of before) assert.is(after.get(host), address, host);
  assert.equal([...after.values()].sort(), ['240.0.0.1', '240.0.0.2', '240.0.0.3', '240.0.0.4', '240.0.0.5']);
});

test('with another hostname suffix the new names get other addresses; the old suffix restores the old addresses', () => {
  const plane = planeOf(BASE.filter(({ object }) => object.kind !== 'Ledger'));
  settle(plane, options);
  const before = addresses(plane);
  const [virtualMesh] = BASE.filter(({ object }) => object.kind === 'VirtualMesh');
  assert.ok(virtualMesh !== undefined);
  const { federation, ...spec } = virtualMesh.object['spec'] as { readonly federation: object };
  const object = { ...virtualMesh.object, spec: { ...spec, federation: { ...federation, hostnameSuffix: 'mesh' } } };
  const hostsIn = (): string[] =>
    [...plane.resolved.endpointsViews.entries()].map(([, { hostname, address }]) => `${hostname} ${address}`).sort();
  const reported = hostsIn();
  apply(plane, [{ cluster: '', object: object as unknown as KubeObject, gone: false }]);
  settle(plane, options);
  assert.ok(hostsIn().length > 0 && hostsIn().every((text) => /\.mesh 2/.test(text)));
  assert.is(new Set(addresses(plane).values()).size, 2 * before.size);
  apply(plane, [{ ...virtualMesh, gone: false }]);
  settle(plane, options);
  assert.equal(hostsIn(), reported);
});

test.run();
