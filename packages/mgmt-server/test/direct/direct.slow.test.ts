/**
 * Direct mode: the server reaches clusters by kubeconfigs, or runs in its only cluster, and does the work of agents.
 */
import type { KubernetesClusterStatus } from '@meshrelay/api';
import type { KubeSim } from '@meshrelay/kube-sim';
import { MEMBER_LEASE, type MeshPlugin } from '@meshrelay/relay-core';
import { assert, eventually, test } from '@meshrelay/testing';
import { KUBECONFIG_KEY } from '../../src/direct/direct-cluster.ts';
import type { ManagementServer } from '../../src/mod.ts';
import { kubernetesCluster, timeoutPolicy } from '../support/discovered.ts';
import { istioObjects, startIstioCluster } from '../support/istio-cluster.ts';
import { ISTIO_PLUGINS } from '../support/istio-plugins.ts';
import { items, ManagementCluster } from '../support/management.ts';
import { ScriptedAgent } from '../support/scripted-agent.ts';

const ISTIO = 'networking.istio.io/v1';
const MULTICLUSTER = 'multicluster.meshrelay.dev/v1alpha1';
const SECRET = 'c1-kubeconfig';
const route = { apiVersion: ISTIO, kind: 'VirtualService', namespace: 'bookinfo', name: 'meshrelay-reviews' };

async function reached() {
  await using cleanup = new AsyncDisposableStack();
  const workload = cleanup.use(await startIstioCluster('c1'));
  const management = cleanup.use(await ManagementCluster.start([], [kubernetesCluster('c1', { secretName: SECRET })]));
  management.setSecret(SECRET, { [KUBECONFIG_KEY]: workload.kubeconfig });
  const rest = cleanup.move();
  return { workload, management, [Symbol.asyncDispose]: () => rest.disposeAsync() };
}

/** Long enough that a busy machine does not lose the Lease. */
const leaderElection = { leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 100 };

const timeoutIn = ({ objects }: KubeSim): unknown => {
  const { spec } = (objects.get(route) ?? {}) as { spec?: { http?: Array<{ timeout?: string }> } };
  return spec?.http?.[0]?.timeout;
};

const clusterItem = async (server: ManagementServer): Promise<Record<string, unknown> | undefined> =>
  (await items(server, 'clusters'))[0];

test('a cluster with a kubeconfig is discovered, and gets its outputs, without an agent', async () => {
  await using fleet = await reached();
  const { workload, management } = fleet;
  await using server = await management.startServer({ leaderElection }, ISTIO_PLUGINS);
  management.create(timeoutPolicy('slow', 'c1'));
  await eventually('the route is there', () => timeoutIn(workload) !== undefined, {
    seen: () => management.log.slice(-5),
  });
  const item = await eventually('it counts as connected', async () => {
    const found = await clusterItem(server);
    return found?.['state'] === 'CONNECTED' && found['complete'] === true ? found : undefined;
  });
  assert.equal([item['address'], item['problem']], ['in-process', undefined]);
  management.delete(timeoutPolicy('slow', 'c1'));
  await eventually('the route is gone', () => workload.objects.get(route) === undefined);
});

test('it repairs drift, and stops writing when the registration ends', async () => {
  await using fleet = await reached();
  const { workload, management } = fleet;
  await using _server = await management.startServer({ leaderElection }, ISTIO_PLUGINS);
  management.create(timeoutPolicy('slow', 'c1'));
  await eventually('the route is there', () => timeoutIn(workload) !== undefined);
  workload.objects.delete(route);
  await eventually('it is back', () => timeoutIn(workload) !== undefined);
  management.delete(kubernetesCluster('c1'));
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', namespace: 'meshrelay', name: MEMBER_LEASE };
  await eventually('the Lease is released', () => {
    const { spec } = workload.objects.get(lease) as unknown as { spec: { holderIdentity?: string } };
    return (spec.holderIdentity ?? '') === '';
  });
  assert.ok(timeoutIn(workload) !== undefined, 'what the cluster has stays');
});

test('a missing or bad kubeconfig is reported, and a new one is used', async () => {
  await using fleet = await reached();
  const { workload, management } = fleet;
  management.setSecret(SECRET, { [KUBECONFIG_KEY]: 'users: [' });
  await using server = await management.startServer({ leaderElection }, ISTIO_PLUGINS);
  const problem = async (): Promise<string> => String((await clusterItem(server))?.['problem']);
  await eventually('the unreadable kubeconfig is reported', async () =>
    /c1-kubeconfig: .*cannot be read as a kubeconfig/.test(await problem()),
  );
  management.setSecret(SECRET, { other: workload.kubeconfig });
  await eventually('the missing kubeconfig is reported', async () =>
    /has no kubeconfig; add one/.test(await problem()),
  );
  management.setSecret(SECRET, { [KUBECONFIG_KEY]: workload.kubeconfig });
  await eventually('it is connected', async () => (await clusterItem(server))?.['state'] === 'CONNECTED', {
    seen: problem,
  });
  assert.is(await problem(), 'undefined');
});

test('a rejected token: every replica and the status report it with the next action, and the log once, without headers', async () => {
  await using fleet = await reached();
  const { workload, management } = fleet;
  const refused = workload.kubeconfig.replace(/token: \S+/, 'token: unknown');
  assert.not.equal(refused, workload.kubeconfig);
  management.setSecret(SECRET, { [KUBECONFIG_KEY]: refused });
  await using first = await management.startServer({ replica: 'server-0', leaderElection });
  await using second = await management.startServer({ replica: 'server-1', leaderElection });
  const reported =
    /does not accept the token of the kubeconfig in Secret meshrelay\/c1-kubeconfig .*HTTP 401.*meshctl cluster register c1 --direct/;
  for (const server of [first, second])
    await eventually(
      'the replica to say why',
      async () => reported.test(String((await clusterItem(server))?.['problem'])),
      {
        seen: () => management.log.slice(-3),
      },
    );
  for (const type of ['Connected', 'OutputsCurrent']) {
    const condition = await eventually('the status to say why', () => {
      const { apiVersion, kind } = kubernetesCluster('c1');
      const { status } = (management.get(apiVersion, kind, 'c1') ?? {}) as unknown as {
        status?: KubernetesClusterStatus;
      };
      return status?.conditions?.find((one) => one.type === type && one.reason === 'NotReached');
    });
    assert.match(condition.message, reported);
  }
  const lines = management.log.filter((line) => line.includes('election failed'));
  assert.is(lines.length, 2, 'one of each replica');
  for (const line of lines) assert.not.match(line, /content-type|headers/i);
  management.setSecret(SECRET, { [KUBECONFIG_KEY]: workload.kubeconfig });
  for (const server of [first, second])
    await eventually(
      'a valid kubeconfig to be used',
      async () => (await clusterItem(server))?.['problem'] === undefined,
    );
  await eventually('it is connected', async () => {
    const each = [await clusterItem(first), await clusterItem(second)];
    return each.some((item) => item?.['connected'] === true);
  });
});

test('a new bad kubeconfig while the old one is in use: the status reports it', async () => {
  await using fleet = await reached();
  const { management } = fleet;
  await using server = await management.startServer({ leaderElection });
  await eventually('it is connected', async () => (await clusterItem(server))?.['state'] === 'CONNECTED');
  management.setSecret(SECRET, { [KUBECONFIG_KEY]: 'users: [' });
  const condition = await eventually('the status to say so', () => {
    const { apiVersion, kind } = kubernetesCluster('c1');
    const { status } = (management.get(apiVersion, kind, 'c1') ?? {}) as unknown as {
      status?: KubernetesClusterStatus;
    };
    return status?.conditions?.find(({ type }) => type === 'KubeconfigUsable');
  });
  assert.match(condition.message, /Secret meshrelay\/c1-kubeconfig: .*cannot be read as a kubeconfig/);
});

test('an agent of such a cluster is rejected, until the registration changes', async () => {
  await using fleet = await reached();
  const { management } = fleet;
  await using server = await management.startServer({ leaderElection }, ISTIO_PLUGINS);
  await eventually('it is connected', async () => (await clusterItem(server))?.['state'] === 'CONNECTED');
  using agent = new ScriptedAgent(99);
  agent.connect(await management.enrol(server, 'c1'));
  await eventually('the agent gets the reason', () =>
    management.log.some((line) => line.includes('this server reaches cluster c1 itself; remove spec.secretName')),
  );
  await eventually('it is reached all the same', async () => (await clusterItem(server))?.['address'] === 'in-process');
});

test('two servers: one of them writes, and the other continues after its end', async () => {
  await using fleet = await reached();
  const { workload, management } = fleet;
  management.create(timeoutPolicy('slow', 'c1'));
  await using servers = new AsyncDisposableStack();
  const first = await management.startServer({ replica: 'server-0', leaderElection }, ISTIO_PLUGINS);
  let firstRuns = true;
  servers.defer(() => (firstRuns ? first[Symbol.asyncDispose]() : undefined));
  await eventually('the route is there', () => timeoutIn(workload) !== undefined);
  await using second = await management.startServer({ replica: 'server-1', leaderElection }, ISTIO_PLUGINS);
  assert.is((await clusterItem(second))?.['connected'], false);
  firstRuns = false;
  await first[Symbol.asyncDispose]();
  await eventually('the other leads', async () => (await clusterItem(second))?.['connected'] === true);
  workload.objects.delete(route);
  await eventually('drift is repaired', () => timeoutIn(workload) !== undefined);
});

test('single cluster: the server registers its own cluster and writes into it', async () => {
  await using management = await ManagementCluster.start([], istioObjects() as never);
  await using server = await management.startServer({ singleCluster: 'only', leaderElection }, ISTIO_PLUGINS);
  management.create(timeoutPolicy('slow', 'only'));
  await eventually('the route is there', () => timeoutIn(management.sim) !== undefined, {
    seen: () => management.log.slice(-5),
  });
  assert.equal([(await clusterItem(server))?.['name'], (await clusterItem(server))?.['state']], ['only', 'CONNECTED']);
});

test('single cluster: a plugin whose discovery throws is named, and the other plugin translates', async () => {
  const [{ plugin }] = ISTIO_PLUGINS as readonly [(typeof ISTIO_PLUGINS)[number]];
  const broken: MeshPlugin = {
    ...plugin,
    name: 'kuma',
    patches: [],
    discover: () => {
      throw new Error('boom in discover');
    },
  };
  await using management = await ManagementCluster.start([], istioObjects() as never);
  await using server = await management.startServer({ singleCluster: 'only', leaderElection }, [
    { plugin: broken, settings: undefined },
    ...ISTIO_PLUGINS,
  ]);
  management.create(timeoutPolicy('slow', 'only'));
  await eventually('the route of the other plugin is there', () => timeoutIn(management.sim) !== undefined, {
    seen: () => management.log.slice(-5),
  });
  assert.is((await clusterItem(server))?.['state'], 'CONNECTED');
  assert.ok(
    management.log.some((line) => line.includes('discovery of a plugin failed') && line.includes('"plugin":"kuma"')),
  );
  assert.match(
    await (await fetch(`http://127.0.0.1:${server.healthPort}/metrics`)).text(),
    /^meshrelay_discovery_failed_plugins\{cluster="only",plugin="kuma"\} 1$/m,
  );
  await eventually('the condition names it', () => {
    const { status } = (management.get(MULTICLUSTER, 'KubernetesCluster', 'only') ?? {}) as {
      status?: KubernetesClusterStatus;
    };
    return status?.conditions?.some(
      ({ reason, message }) => reason === 'PluginFailed' && message?.includes('kuma: boom'),
    );
  });
});

test.run();
