/** Two Istio clusters through the whole server: what agents push, what they get, what the management cluster shows. */

import type { KubernetesClusterStatus, Ledger, MeshStatus, PolicyStatus } from '@meshrelay/api';
import { CLUSTER_LABEL } from '@meshrelay/relay-core';
import { assert, eventually, test } from '@meshrelay/testing';
import {
  destination,
  istioCluster,
  kubernetesCluster,
  mesh,
  timeoutPolicy,
  virtualMesh,
} from './support/discovered.ts';
import { ISTIO_PLUGINS } from './support/istio-plugins.ts';
import { convergence, items, ManagementCluster } from './support/management.ts';
import { ScriptedAgent } from './support/scripted-agent.ts';

const DISCOVERY = 'discovery.meshrelay.dev/v1alpha1';
const ADMIN = 'admin.meshrelay.dev/v1alpha1';
const VIRTUAL_SERVICE = 'networking.istio.io/v1/VirtualService';

async function fleetOfTwo(...policies: Parameters<ManagementCluster['create']>[0][]) {
  const cleanup = new AsyncDisposableStack();
  const management = cleanup.use(await ManagementCluster.start(['c1', 'c2'], policies));
  const server = cleanup.use(await management.startServer({}, ISTIO_PLUGINS));
  const one = cleanup.use(new ScriptedAgent().push(...istioCluster('c1', 1)));
  const two = cleanup.use(new ScriptedAgent().push(...istioCluster('c2', 2, 'ratings')));
  const dials = { one: await management.enrol(server, 'c1'), two: await management.enrol(server, 'c2') };
  one.connect(dials.one);
  two.connect(dials.two);
  // Outputs wait for decisions that the ledger does not have yet, such as virtual IPs.
  await eventually(
    'both clusters have everything they are to have',
    async () => one.complete && two.complete && (await convergence(server)).converged,
    { seen: () => [one.names('ServiceEntry'), two.names('ServiceEntry'), ...management.log.slice(-5)] },
  );
  const statusOf = <S = PolicyStatus>(object: Parameters<ManagementCluster['live']>[0]): S | undefined =>
    management.live<S>(object)?.status;
  return { management, server, one, two, dials, statusOf, [Symbol.asyncDispose]: () => cleanup.disposeAsync() };
}

/** Series of a scrape of the server, by name and labels. */
async function scraped(port: number): Promise<(series: string) => number | undefined> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const values = new Map(
    [...text.matchAll(/^meshrelay_(\S+) (\S+)$/gm)].map(([, name, value]) => [name, Number(value)]),
  );
  return (series) => values.get(series);
}

test('metrics show streams, lags and queues while two agents are connected, and drop them afterwards', async () => {
  const vm = virtualMesh('vm', ['c1', 'c2']);
  await using fleet = await fleetOfTwo(vm);
  const { server, one, two } = fleet;
  const before = await scraped(server.healthPort);
  assert.equal([before('relay_streams{stream="push"}'), before('relay_streams{stream="pull"}')], [2, 2]);
  assert.is(before('outputs_queue_depth'), 0);
  // As of the last heartbeat, which may precede the last accepted output.
  for (const lag of ['inputs_lag_seconds', 'outputs_lag_seconds']) assert.ok((before(lag) ?? -1) >= 0, lag);
  assert.equal([before('agent_calls'), before('api_streams{stream="changes"}')], [0, 0]);
  one.disconnect();
  two.disconnect();
  await eventually('their streams are gone', async () => {
    const after = await scraped(server.healthPort);
    return after('relay_streams{stream="push"}') === 0 && after('relay_streams{stream="pull"}') === 0;
  });
});

test('two clusters are joined, translated, written and published', async () => {
  const vm = virtualMesh('vm', ['c1', 'c2']);
  await using fleet = await fleetOfTwo(vm);
  const { management, server, one, two, statusOf } = fleet;
  await eventually('each cluster reaches the service of the other', () => one.names('ServiceEntry').length === 2, {
    seen: () => [...one.applied.keys()],
  });
  assert.equal(one.names('ServiceEntry'), [
    'bookinfo/meshrelay-reviews.export',
    'istio-system/meshrelay-ratings.bookinfo.c2',
  ]);
  await eventually('so does the other', () =>
    two.names('ServiceEntry').includes('istio-system/meshrelay-reviews.bookinfo.c1'),
  );
  for (const object of one.applied.values()) assert.is(object.metadata.labels?.['meshrelay.dev/owner'], 'meshrelay');

  await eventually('the virtual mesh is accepted', () => statusOf(vm)?.state === 'ACCEPTED', {
    seen: () => statusOf(vm),
  });
  assert.is(statusOf(vm)?.conditions.find(({ type }) => type === 'TrustEstablished')?.status, 'Unknown');
  await eventually(
    'the clusters are connected',
    () => statusOf<KubernetesClusterStatus>(kubernetesCluster('c1'))?.firstSyncTime,
  );
  const { state, connectedReplica } = statusOf<KubernetesClusterStatus>(kubernetesCluster('c1')) ?? {};
  assert.equal([state, connectedReplica], ['CONNECTED', 'server-0']);

  await eventually('discovered objects are shown', () => management.names(DISCOVERY, 'Destination').length === 4);
  assert.equal(management.names(DISCOVERY, 'Mesh'), ['istiod-istio-system-c1', 'istiod-istio-system-c2']);
  assert.is(management.get(DISCOVERY, 'Mesh', 'istiod-istio-system-c1')?.metadata.labels?.[CLUSTER_LABEL], 'c1');

  const meshStatus = () =>
    management.get(DISCOVERY, 'Mesh', 'istiod-istio-system-c1')?.['status'] as MeshStatus | undefined;
  await eventually('the mesh names its virtual mesh', () => meshStatus()?.appliedVirtualMesh?.ref.name === 'vm', {
    seen: meshStatus,
  });

  const ledgers = management
    .names(ADMIN, 'Ledger')
    .map((name) => (management.get(ADMIN, 'Ledger', name) as Ledger).spec);
  assert.equal(ledgers.flatMap(({ clusters = [] }) => clusters.map(({ name }) => name)).sort(), ['c1', 'c2']);
  assert.equal(
    ledgers.flatMap(({ policies = [] }) => policies.map(({ name }) => name)),
    ['vm'],
  );
  assert.ok(ledgers.flatMap(({ vips = [] }) => vips).length >= 2);

  assert.equal(
    (await items(server, 'policies')).map(({ id, state: shown }) => [id, shown]),
    [['_/VirtualMesh/meshrelay/vm', 'ACCEPTED']],
  );
  assert.is((await items(server, 'outputs')).length, one.applied.size + two.applied.size);
  assert.equal(
    management.log.filter((line) => /"level":"(warn|error)"/.test(line)),
    [],
  );
});

test('deleting a policy removes exactly its outputs', async () => {
  const slow = timeoutPolicy('slow-reviews', 'c1');
  await using fleet = await fleetOfTwo(
    virtualMesh('vm', ['c1', 'c2']),
    slow,
    timeoutPolicy('slow-ratings', 'c2', 'ratings'),
  );
  const { management, one, two } = fleet;
  await eventually(
    'the policies are carried',
    () => one.names('VirtualService').length > 1 && two.names('VirtualService').length > 1,
    {
      seen: () => [[...one.applied.keys()], [...two.applied.keys()]],
    },
  );
  const before = { one: [...one.applied.keys()].sort(), two: [...two.applied.keys()].sort() };
  assert.ok(before.one.includes(`${VIRTUAL_SERVICE}/bookinfo/meshrelay-reviews`), String(before.one));

  management.delete(slow);
  await eventually(
    'its VirtualService is gone',
    () => !one.applied.has(`${VIRTUAL_SERVICE}/bookinfo/meshrelay-reviews`),
  );
  const after = [...one.applied.keys()].sort();
  assert.equal(
    after,
    before.one.filter((id) => id !== `${VIRTUAL_SERVICE}/bookinfo/meshrelay-reviews`),
  );
  assert.ok(two.names('VirtualService').includes('bookinfo/meshrelay-ratings'));
});

test('a rejected output fails its policy until a later state is accepted', async () => {
  const id = `${VIRTUAL_SERVICE}/bookinfo/meshrelay-reviews`;
  await using fleet = await fleetOfTwo();
  const { management, server, one, statusOf } = fleet;
  const slow = timeoutPolicy('slow', 'c1');
  one.refuses.set(id, 'admission webhook "policy.example" denied the request');
  management.create(slow);
  await eventually('the policy has failed', () => statusOf(slow)?.state === 'FAILED', { seen: () => statusOf(slow) });
  const [report] = statusOf(slow)?.reports ?? [];
  assert.is(report?.code, 'APPLY_FAILED');
  assert.match(
    report?.message ?? '',
    'VirtualService bookinfo/meshrelay-reviews could not be applied in cluster c1: admission webhook',
  );
  assert.is((await items(server, 'policies'))[0]?.['state'], 'FAILED');
  assert.equal(
    (await items(server, 'outputs')).map(({ rejected }) => (rejected as { code: string }).code),
    ['APPLY_FAILED'],
  );

  one.refuses.clear();
  one.resync();
  await eventually('the policy is accepted', () => statusOf(slow)?.state === 'ACCEPTED', {
    seen: () => statusOf(slow),
  });
  assert.equal((await items(server, 'clusters'))[0]?.['rejected'], []);
});

test('a rejection of an output that is no longer desired fails no policy', async () => {
  await using fleet = await fleetOfTwo();
  const { management, server, one, statusOf } = fleet;
  const slow = timeoutPolicy('slow', 'c1');
  one.refuses.set(`${VIRTUAL_SERVICE}/bookinfo/meshrelay-reviews`, 'no');
  management.create(slow);
  await eventually('the policy has failed', () => statusOf(slow)?.state === 'FAILED');
  management.delete(slow);
  await eventually('the rejection is cleared', async () =>
    (await items(server, 'clusters')).every(({ rejected }) => (rejected as unknown[]).length === 0),
  );
});

test('a deregistered cluster keeps its objects; the others lose only outputs derived from it', async () => {
  await using fleet = await fleetOfTwo(virtualMesh('vm', ['c1', 'c2']), timeoutPolicy('slow', 'c1'));
  const { management, server, one, two, dials } = fleet;
  const reached = 'istio-system/meshrelay-ratings.bookinfo.c2';
  await eventually('c1 reaches c2', () => one.names('ServiceEntry').includes(reached));
  await eventually('c2 is shown', () => management.names(DISCOVERY, 'Destination').includes('ratings-bookinfo-c2'));
  const back = 'istio-system/meshrelay-reviews.bookinfo.c1';
  await eventually('c2 reaches c1, as the policy says', () => two.names('VirtualService').includes(back));
  const had = [...two.applied.keys()].sort();
  assert.ok(had.length > 0);

  management.delete(kubernetesCluster('c2'));
  await eventually('c1 no longer reaches it', () => !one.names('ServiceEntry').includes(reached));
  assert.ok(one.names('VirtualService').includes('bookinfo/meshrelay-reviews'), 'what has nothing to do with c2 stays');
  assert.is((await two.ended('push'))?.code, 'RELAY_E_UNAVAILABLE');
  assert.equal([...two.applied.keys()].sort(), had);
  await eventually('c2 is shown no more', () =>
    management.names(DISCOVERY, 'Destination').every((name) => !name.endsWith('-c2')),
  );
  assert.ok(management.names(DISCOVERY, 'Destination').includes('reviews-bookinfo-c1'));

  two.connect(dials.two);
  assert.is((await two.ended('push'))?.code, 'RELAY_E_UNAUTHENTICATED');
  assert.is((await two.ended('pull'))?.code, 'RELAY_E_UNAUTHENTICATED');

  // Once registered again it sends everything, and does not count as an empty cluster.
  management.create(kubernetesCluster('c2'));
  await eventually('c2 is registered', async () => (await items(server, 'clusters')).length === 2);
  two.connect(dials.two);
  await eventually('c1 reaches c2 again', () => one.names('ServiceEntry').includes(reached), {
    seen: () => one.names('ServiceEntry'),
  });
  await eventually('c2 has everything', () => two.complete);
  assert.equal([...two.applied.keys()].sort(), had);
});

test('a suspended cluster gets nothing, and everything when it is resumed', async () => {
  await using fleet = await fleetOfTwo(virtualMesh('vm', ['c1', 'c2']));
  const { management, server, one, two, dials } = fleet;
  management.update(kubernetesCluster('c1', { suspended: true }));
  assert.is((await one.ended('pull'))?.code, 'RELAY_E_UNAVAILABLE');
  one.disconnect();
  one.connect(dials.one);
  const had = [...one.applied.keys()].sort();
  management.create(timeoutPolicy('slow', 'c1'));
  management.create(timeoutPolicy('slow-too', 'c2', 'ratings'));
  await eventually('the other cluster continues', () =>
    two.names('VirtualService').includes('bookinfo/meshrelay-ratings'),
  );
  await eventually('its state is shown', async () => (await items(server, 'clusters'))[0]?.['state'] === 'SUSPENDED');
  assert.equal([...one.applied.keys()].sort(), had);
  assert.not(one.complete);

  management.update(kubernetesCluster('c1', { suspended: false }));
  await eventually('it catches up', () => one.names('VirtualService').includes('bookinfo/meshrelay-reviews'));
  await eventually('and gets the end of the snapshot', () => one.complete);
});

test('a cluster that disconnects keeps everything, and so do the others', async () => {
  await using fleet = await fleetOfTwo(virtualMesh('vm', ['c1', 'c2']));
  const { management, server, one, two, statusOf } = fleet;
  await eventually('c1 reaches c2', () => one.names('ServiceEntry').length === 2);
  two.disconnect();
  await eventually(
    'c2 is shown as gone',
    () => statusOf<KubernetesClusterStatus>(kubernetesCluster('c2'))?.state === 'DISCONNECTED',
  );
  const slow = timeoutPolicy('slow', 'c1');
  management.create(slow);
  await eventually('c1 continues', () => one.names('VirtualService').includes('bookinfo/meshrelay-reviews'));
  assert.is(one.names('ServiceEntry').length, 2);
  assert.is((await items(server, 'meshes')).length, 2);
});

test('an object that names another cluster is rejected, and the rest is accepted', async () => {
  await using fleet = await fleetOfTwo();
  const { management, server, one } = fleet;
  one.push(destination('c2', 'stolen', 1), destination('c1', 'honest', 1), {
    ...mesh('c2'),
    metadata: { name: 'fake', namespace: 'x' },
  });
  await eventually('the honest one is there', async () =>
    (await items(server, 'destinations')).some(({ id }) => id === 'honest-bookinfo-c1'),
  );
  await eventually('the refusals are logged', () => management.logged('input objects refused').length === 2);
  const names = (await items(server, 'destinations')).map(({ id }) => id);
  assert.not(names.some((name) => String(name).startsWith('stolen')));
  const codes = management.logged('input objects refused').flatMap(({ first }) => first as Array<{ code: string }>);
  assert.equal(
    codes.map(({ code }) => code),
    ['CLUSTER_MISMATCH', 'CLUSTER_MISMATCH'],
  );
  assert.is((await items(server, 'meshes')).length, 2);
});

test.run();
