/** Safe mode and restarts: a server that knows less than the one before deletes nothing. */

import type { KubeObject, KubernetesClusterStatus, PolicyStatus } from '@meshrelay/api';
import { assert, eventually, test } from '@meshrelay/testing';
import type { ManagementServer } from '../src/mod.ts';
import { istioCluster, kubernetesCluster, timeoutPolicy, virtualMesh } from './support/discovered.ts';
import { ISTIO_PLUGINS } from './support/istio-plugins.ts';
import { api, items, ManagementCluster } from './support/management.ts';
import { type Dial, ScriptedAgent } from './support/scripted-agent.ts';

interface SafeModeShown {
  readonly active: boolean;
  readonly unsyncedClusters: readonly string[];
}

const safeMode = async (server: ManagementServer): Promise<SafeModeShown> =>
  ((await api(server, '')) as { safeMode: SafeModeShown }).safeMode;

const at = (dial: Dial, server: ManagementServer): Dial => ({ ...dial, port: server.relayPort });

/** A converged fleet of two whose server has ended since. */
async function endedFleet() {
  const cleanup = new AsyncDisposableStack();
  const vm = virtualMesh('vm', ['c1', 'c2']);
  const slow = timeoutPolicy('slow', 'c1');
  const management = cleanup.use(await ManagementCluster.start(['c1', 'c2'], [vm, slow]));
  const one = cleanup.use(new ScriptedAgent().push(...istioCluster('c1', 1)));
  const two = cleanup.use(new ScriptedAgent().push(...istioCluster('c2', 2, 'ratings')));
  const dials: { one: Dial; two: Dial } = await (async () => {
    await using server = await management.startServer({}, ISTIO_PLUGINS);
    const found = { one: await management.enrol(server, 'c1'), two: await management.enrol(server, 'c2') };
    one.connect(found.one);
    two.connect(found.two);
    await eventually(
      'both have everything',
      () =>
        one.complete &&
        two.complete &&
        one.names('ServiceEntry').length === 2 &&
        two.names('ServiceEntry').length === 2,
    );
    await eventually('the policies are accepted, and applied', () =>
      [vm, slow].every((policy) => {
        const { state, conditions = [] } = management.live<PolicyStatus>(policy)?.status ?? {};
        return state === 'ACCEPTED' && conditions.some(({ type, status }) => type === 'Applied' && status === 'True');
      }),
    );
    await eventually('both are in the ledger', async () =>
      (await items(server, 'clusters')).every(({ firstSyncTime }) => firstSyncTime !== undefined),
    );
    return found;
  })();
  for (const agent of [one, two]) agent.disconnect();
  const had = { one: [...one.applied.keys()].sort(), two: [...two.applied.keys()].sort() };
  return { management, one, two, dials, had, vm, slow, [Symbol.asyncDispose]: () => cleanup.disposeAsync() };
}

test('a restarted server sends nothing until every cluster is synced again, and then deletes nothing', async () => {
  await using fleet = await endedFleet();
  const { management, one, two, dials, had, slow } = fleet;
  const before = management.live<PolicyStatus>(slow)?.metadata.resourceVersion;
  await using server = await management.startServer({}, ISTIO_PLUGINS);
  one.connect(at(dials.one, server));
  await eventually('the first is known', async () => (await items(server, 'clusters'))[0]?.['complete'] === true);
  assert.equal(await safeMode(server), {
    active: true,
    unsyncedKinds: [],
    unsyncedClusters: ['c2'],
    pendingClusters: [],
    unsyncedSuspendedClusters: [],
  });
  assert.not(one.complete);
  assert.equal([...one.applied.keys()].sort(), had.one);

  two.connect(at(dials.two, server));
  await eventually('both have all outputs', () => one.complete && two.complete);
  assert.equal([...one.applied.keys()].sort(), had.one);
  assert.equal([...two.applied.keys()].sort(), had.two);
  assert.equal([...one.behind, ...two.behind], [], 'no agent was ahead of the new server');
  assert.not((await safeMode(server)).active);
  await eventually('it leads', () => management.logged('this replica leads').length === 2);
  assert.is(management.live<PolicyStatus>(slow)?.metadata.resourceVersion, before, 'its status was not written again');
});

test('a policy deleted while no server ran is gone after the restart, and nothing else', async () => {
  await using fleet = await endedFleet();
  const { management, one, two, dials, had, slow } = fleet;
  management.delete(slow);
  await using server = await management.startServer({}, ISTIO_PLUGINS);
  one.connect(at(dials.one, server));
  two.connect(at(dials.two, server));
  // The service's own, and that of its consumers in the other cluster.
  const outputs = ['bookinfo/meshrelay-reviews', 'istio-system/meshrelay-reviews.bookinfo.c1'];
  const isLeft = (id: string): boolean => !outputs.some((name) => id.endsWith(`/VirtualService/${name}`));
  const left = { one: had.one.filter(isLeft), two: had.two.filter(isLeft) };
  await eventually('its outputs are gone', () => one.applied.size === left.one.length && two.complete, {
    seen: () => [[...one.applied.keys()], one.behind, two.behind],
  });
  assert.equal([...one.applied.keys()].sort(), left.one);
  assert.equal([...two.applied.keys()].sort(), left.two);
  assert.is(had.one.length + had.two.length - left.one.length - left.two.length, 2);
});

test('a new policy waits for the end of safe mode, and reports why', async () => {
  await using fleet = await endedFleet();
  const { management, one, two, dials } = fleet;
  await using server = await management.startServer({}, ISTIO_PLUGINS);
  one.connect(at(dials.one, server));
  const late = timeoutPolicy('late', 'c2', 'ratings');
  management.create(late);
  const status = (): PolicyStatus | undefined => management.live<PolicyStatus>(late)?.status;
  await eventually('it is pending', () => status()?.state === 'PENDING', { seen: status });
  assert.equal(
    status()?.reports.map(({ code }) => code),
    ['SAFE_MODE'],
  );
  await eventually('it says for whom', () => status()?.reports[0]?.message.includes('cluster c2'), { seen: status });
  two.connect(at(dials.two, server));
  await eventually('it is accepted', () => status()?.state === 'ACCEPTED', { seen: status });
});

test('suspending a cluster that does not reconnect ends safe mode', async () => {
  await using fleet = await endedFleet();
  const { management, one, dials } = fleet;
  await using server = await management.startServer({}, ISTIO_PLUGINS);
  one.connect(at(dials.one, server));
  await eventually('only the second is missing', async () => (await safeMode(server)).unsyncedClusters.join() === 'c2');
  management.update(kubernetesCluster('c2', { suspended: true }));
  await eventually('the first has all outputs', () => one.complete, { seen: () => one.behind });
  assert.not((await safeMode(server)).active);
});

test('a cluster deregistered while no server ran does not prolong safe mode', async () => {
  await using fleet = await endedFleet();
  const { management, one, dials } = fleet;
  management.delete(kubernetesCluster('c2'));
  await using server = await management.startServer({}, ISTIO_PLUGINS);
  one.connect(at(dials.one, server));
  await eventually('the first has all outputs', () => one.complete, { seen: () => one.behind });
  assert.equal(one.names('ServiceEntry'), [], 'what c2 gave is gone');
  await eventually('its discovered objects are gone', () =>
    management.names('discovery.meshrelay.dev/v1alpha1', 'Mesh').every((name) => !name.endsWith('-c2')),
  );
});

test('a cluster that was synced and is in no ledger does not count as gone', async () => {
  await using fleet = await endedFleet();
  const { management, one, two, dials, had } = fleet;
  const admin = 'admin.meshrelay.dev/v1alpha1';
  for (const name of management.names(admin, 'Ledger'))
    management.delete({ apiVersion: admin, kind: 'Ledger', metadata: { name }, spec: {} });
  await using server = await management.startServer({}, ISTIO_PLUGINS);
  one.connect(at(dials.one, server));
  await eventually('the agent says whom it misses', () => one.behind.some((each) => each.endsWith(' c2')), {
    seen: () => one.behind,
  });
  assert.equal([...one.applied.keys()].sort(), had.one);
  await eventually('so does the API', async () => String((await items(server, 'clusters'))[0]?.['behind']) === 'c2');
  two.connect(at(dials.two, server));
  await eventually('both have all outputs', () => one.complete && two.complete, {
    seen: () => [one.behind, two.behind],
  });
  assert.equal([...one.applied.keys()].sort(), had.one);
});

test('the status of an agent that stays away after a restart keeps its last connection, replica and inputs', async () => {
  await using fleet = await endedFleet();
  const { management } = fleet;
  const registered = kubernetesCluster('c2');
  const status = (): KubernetesClusterStatus => management.live<KubernetesClusterStatus>(registered)?.status ?? {};
  const { lastConnectedTime: _, lastReplica: __, ...known } = status();
  // As killed servers leave it: connected, with a Lease that was not released.
  await management.diagnose(registered, { ...known, state: 'CONNECTED', connectedReplica: 'server-9', lag: '5s' });
  const lease = management.get('coordination.k8s.io/v1', 'Lease', 'meshrelay-mgmt-server') as KubeObject;
  management.update({ ...lease, spec: { ...(lease.spec as object), renewTime: '2020-02-02T02:02:02.123456Z' } });
  const reported = { lastReplica: 'server-9', lastConnectedTime: '2020-02-02T02:02:02.123Z', lag: undefined };
  const isReported = (): boolean => {
    const { lastReplica, lastConnectedTime, lag, connectedReplica, inputVersion, conditions = [] } = status();
    const message = conditions.find(({ type }) => type === 'Connected')?.message ?? '';
    return (
      lastReplica === reported.lastReplica &&
      lastConnectedTime === reported.lastConnectedTime &&
      inputVersion !== undefined &&
      inputVersion === known.inputVersion &&
      [lag, connectedReplica].every((one) => one === undefined) &&
      message.includes(`last connected to replica ${reported.lastReplica}, until ${reported.lastConnectedTime}`)
    );
  };
  for (const start of ['first', 'second']) {
    await using server = await management.startServer({}, ISTIO_PLUGINS);
    await eventually(`it is reported after the ${start} start`, isReported, { seen: status });
    assert.is((await items(server, 'clusters')).find(({ name }) => name === 'c2')?.['state'], 'DISCONNECTED');
  }
});

test.run();
