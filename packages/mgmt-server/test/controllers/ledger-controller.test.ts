/** Decisions are stored by compare-and-swap: the slower replica adopts the decisions of the faster one. */
import type { KindName, KubeObject, Ledger } from '@meshrelay/api';
import { deleteObject, key, setObject } from '@meshrelay/relay-core';
import { silentLogger, silentTracer } from '@meshrelay/telemetry';
import { assert, eventually, test } from '@meshrelay/testing';
import { LedgerController } from '../../src/controllers/ledger-controller.ts';
import { KindInput } from '../../src/input/kind-input.ts';
import { type BareCluster, startBareCluster } from '../support/cluster.ts';
import { istioCluster, kubernetesCluster, mesh, timeoutPolicy } from '../support/discovered.ts';
import { batch, declare, fleetOf, MESH } from '../support/fleet.ts';

const ADMIN = 'admin.meshrelay.dev/v1alpha1';

/** A replica with one synced cluster and policies without an order. */
async function replica({ connection }: BareCluster, ...policies: readonly string[]) {
  const fleet = await fleetOf('c1');
  const unsyncedKinds = new Map<string, string>();
  const input = new KindInput({
    kind: 'Ledger' as KindName,
    connection,
    fleet,
    namespace: 'meshrelay',
    indispensable: true,
    logger: silentLogger,
    tracer: silentTracer,
    changed: () => undefined,
  });
  await eventually('the ledger is known', () => input.unknown === undefined);
  await fleet.write((transaction, fleetState) => {
    for (const object of istioCluster('c1', 1)) setObject(transaction, fleetState, 'c1', object);
  });
  await fleet.open('c1', 1, [MESH]);
  await fleet.accept(batch('c1', 1, [mesh('c1')]));
  await declare(fleet, ...policies.map((name) => timeoutPolicy(name, 'c1')));
  const left: string[] = [];
  const options = {
    connection,
    namespace: 'meshrelay',
    fleet,
    management: {
      unsyncedKinds,
      take: async (object: Ledger | Parameters<typeof input.take>[0]) => void (await input.take(object)),
    },
    now: () => new Date(0),
    deregistered: (name: string) => void left.push(name),
    logger: silentLogger,
    tracer: silentTracer,
  };
  return { fleet, options, unsyncedKinds, left, [Symbol.asyncDispose]: () => input[Symbol.asyncDispose]() };
}

const ledgers = ({ sim }: BareCluster): Ledger['spec'][] =>
  sim.objects
    .list({ apiVersion: ADMIN, kind: 'Ledger' }, 'meshrelay')
    .map((object) => (object as unknown as Ledger).spec);
const sequences = (cluster: BareCluster): Array<[string, number]> =>
  ledgers(cluster)
    .flatMap(({ policies = [] }) => policies.map(({ name, sequence }): [string, number] => [name, sequence]))
    .sort(([, a], [, b]) => a - b);

test('policies get their order, and clusters the time of their first sync', async () => {
  await using cluster = await startBareCluster();
  await using one = await replica(cluster, 'b', 'a');
  await using _controller = new LedgerController(one.options);
  await eventually(
    'they are stored',
    () => sequences(cluster).length > 0 && ledgers(cluster).some(({ clusters }) => clusters),
  );
  assert.equal(sequences(cluster)[0], ['a', 1]);
  assert.equal(
    ledgers(cluster).flatMap(({ clusters = [] }) => clusters),
    [{ name: 'c1', firstSyncTime: '1970-01-01T00:00:00.000Z' }],
  );
});

const specs = (cluster: BareCluster): string =>
  JSON.stringify(
    ledgers(cluster).flatMap(({ policies = [] }) => policies.map(({ lastAcceptedSpec }) => lastAcceptedSpec)),
  );
const waits = (cluster: BareCluster): number => ledgers(cluster).flatMap(({ policies = [] }) => policies).length;

test('an edit is recorded under the order of its policy, and a deleted policy is removed', async () => {
  await using cluster = await startBareCluster();
  await using one = await replica(cluster, 'a', 'b');
  await using controller = new LedgerController(one.options);
  await eventually('both have their turn', () => waits(cluster) === 2);
  const before = sequences(cluster);
  const policy = timeoutPolicy('a', 'c1') as unknown as { readonly spec: object };
  const edited = { ...policy, spec: { ...policy.spec, policy: { requestTimeout: '7s' } } } as unknown as KubeObject;
  await declare(one.fleet, edited);
  controller.changed();
  await eventually('the edit is recorded', () => specs(cluster).includes('7s'));
  assert.equal(sequences(cluster), before);
  await one.fleet.write((transaction, fleetState) => {
    const name = { group: 'networking.meshrelay.dev', kind: 'TrafficPolicy', namespace: 'meshrelay', name: 'b' };
    deleteObject(transaction, fleetState, '', name);
  });
  controller.changed();
  await eventually('it is forgotten', () => waits(cluster) === 1);
  assert.equal(
    sequences(cluster).map(([name]) => name),
    ['a'],
  );
});

test('nothing is decided while the management cluster is not synced', async () => {
  await using cluster = await startBareCluster();
  await using one = await replica(cluster, 'a');
  one.unsyncedKinds.set('Ledger', 'not listed');
  await using controller = new LedgerController(one.options);
  await new Promise((resume) => setImmediate(resume));
  assert.equal(ledgers(cluster), []);
  one.unsyncedKinds.clear();
  controller.changed();
  await eventually('now it is', () => sequences(cluster).length === 1);
});

test('two concurrent replicas end with the same decisions, each made once', async () => {
  await using cluster = await startBareCluster();
  await using one = await replica(cluster, 'a', 'b');
  await using two = await replica(cluster, 'a', 'b');
  await using _first = new LedgerController(one.options);
  await using _second = new LedgerController(two.options);
  const decided = (fleet: typeof one.fleet): string =>
    JSON.stringify(
      [...fleet.fleetState.ledgerPolicies.entries()].map(([, { name, sequence }]) => [name, sequence]).sort(),
    );
  const all = (): string => JSON.stringify(sequences(cluster).sort());
  await eventually(
    'both know what is stored',
    () => sequences(cluster).length > 0 && decided(one.fleet) === all() && decided(two.fleet) === all(),
    {
      seen: () => [all(), decided(one.fleet), decided(two.fleet)],
    },
  );
  const numbers = sequences(cluster).map(([, sequence]) => sequence);
  assert.is(new Set(numbers).size, numbers.length);
});

test('a cluster leaves the ledger only after the API server confirms its deregistration', async () => {
  await using cluster = await startBareCluster(kubernetesCluster('c1'));
  await using one = await replica(cluster, 'a');
  await using controller = new LedgerController(one.options);
  const known = (): string[] => ledgers(cluster).flatMap(({ clusters = [] }) => clusters.map(({ name }) => name));
  await eventually('it synced', () => known().length === 1);
  // The state after a list that lacks the cluster.
  await one.fleet.write((transaction, fleetState) => transaction.delete(fleetState.clusters, key('c1')));
  await declare(one.fleet, timeoutPolicy('b', 'c1'));
  controller.changed();
  await eventually('the controller has run since', () => waits(cluster) === 1 || waits(cluster) === 2);
  assert.equal([known(), one.left], [['c1'], []]);
  cluster.sim.objects.delete({
    apiVersion: 'multicluster.meshrelay.dev/v1alpha1',
    kind: 'KubernetesCluster',
    namespace: 'meshrelay',
    name: 'c1',
  });
  controller.changed();
  await eventually('it has left', () => known().length === 0);
  await eventually('its departure is reported', () => one.left.join() === 'c1', { seen: () => one.left });
});

test.run();
