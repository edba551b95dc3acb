/**
 * The story, in a network of its own: install by Helm, register, apply policies, lose an agent and a server, upgrade,
 * deregister, uninstall. `main.ts PLAN`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { ROOT } from '@meshrelay/programs';
import { assert, eventually } from '@meshrelay/testing';
import { chartFolder } from '../../src/helm.ts';
import type { RealCluster } from '../lab/real-cluster.ts';
import { REDIS_IMAGE } from '../lab/redis-image.ts';
import { Fleet, INTERVAL, rolledOut, WITHIN } from './fleet.ts';
import { NAMESPACE, WORKLOAD_CLUSTERS } from './names.ts';
import { deleted, type Output, outputsOf } from './outputs.ts';
import type { StoryPlan } from './plan.ts';
import { editRetries, retries, virtualMesh } from './policies.ts';
import { added, objectsOf } from './state.ts';
import { Steps } from './steps.ts';
import { ISTIO, SHOP, workloads } from './workloads.ts';

const SERVER = 'meshrelay-mgmt-server';
const AGENT = 'meshrelay-agent';
const REDIS = 'meshrelay-redis';
const RELAY_PORT = 9900;
/** The earlier charts have the same images: this makes the pods restart. */
const RESTART = ['--set', 'podAnnotations.upgraded=yes'];
const WAIT = ['--wait', '--timeout=290s'];
/** Helm keeps CRDs, and the namespace with what server and agents created there: docs/operations/remove.md. */
const EXPECTED_AFTER_HELM =
  /^customresourcedefinitions\.|^apiservices\.\S* \/\S*\.meshrelay\.dev$|^namespaces\. \/meshrelay$|^\S+ meshrelay\//;
const RESTRICTED_NAMESPACE = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: NAMESPACE, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
};
const CRDS = join(ROOT, 'packages/api/crds');

const plan = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as StoryPlan;
const steps = new Steps(process.env['MESHRELAY_KEEP'] === '1');
try {
  await story();
  console.log(`${steps.duration}  in all\n${steps.passed} passed, 0 failed`);
} catch (error) {
  console.log(`${(error as Error).message}\n${steps.passed} passed, 1 failed`);
  process.exitCode = 1;
}

async function story(): Promise<void> {
  await using fleet = await steps.run('three clusters are up', () => Fleet.start(plan));
  const { management, workloads: clusters } = fleet;
  const [east, west] = clusters as [RealCluster, RealCluster];
  await steps.run('images are imported', () =>
    Promise.all([
      management.importImages([plan.images['mgmt-server'], plan.redis]),
      ...clusters.map((cluster) => cluster.importImages([plan.images.agent, plan.istiod])),
    ]),
  );
  await steps.run('istiod and the bookshop run in the workload clusters', () =>
    Promise.all(clusters.map((cluster) => installWorkloads(fleet, cluster))),
  );
  const before = new Map<RealCluster, ReadonlySet<string>>();
  for (const cluster of fleet.clusters) before.set(cluster, await objectsOf(cluster.client));

  const address = await steps.run('Helm installs the server of an earlier commit', () => installServer(fleet));
  await steps.run(`Helm installs the agent of ${east.name}`, () => installAgent(fleet, east, address));
  await steps.run(`meshctl registers both clusters, and installs the agent of ${west.name}`, async () => {
    await register(fleet, east);
    await register(fleet, west, '--set', 'replicas=2');
    await Promise.all(clusters.map((cluster) => rolledOut(cluster, NAMESPACE, AGENT)));
  });
  const first = await steps.run('policies reach the workload clusters', async () => {
    await fleet.apply(management, [virtualMesh(WORKLOAD_CLUSTERS), retries(2, WORKLOAD_CLUSTERS)]);
    return outputsWith(clusters, '"attempts":2');
  });
  await steps.run('istiod has read the outputs', () => Promise.all(clusters.map(istiodHasRead)));
  await steps.run("the agent's leader is deleted: outputs stay, and an edit arrives", async () => {
    await east.kubectl('-n', NAMESPACE, 'delete', 'pod', await leaderOf(east, AGENT), '--wait=false');
    await edited(fleet, 3, first);
  });
  await steps.run('the leading server is killed: outputs stay, and an edit arrives', async () => {
    const kill = ['--force', '--grace-period=0'];
    await management.kubectl('-n', NAMESPACE, 'delete', 'pod', await leaderOf(management, SERVER), ...kill);
    await edited(fleet, 4, first);
  });
  await steps.run('Redis is restarted without its data: outputs stay, and an edit arrives', async () => {
    await management.kubectl('-n', NAMESPACE, 'rollout', 'restart', `deployment/${REDIS}`);
    await rolledOut(management, NAMESPACE, REDIS);
    await edited(fleet, 5, first);
  });
  await steps.run('Helm and meshctl upgrade during edits: no output is deleted', async () => {
    const upgraded = (async () => {
      await upgrade(fleet, management, 'meshrelay');
      await Promise.all([
        upgrade(fleet, east, AGENT),
        fleet.meshctl('upgrade', 'agent', '--context', west.name, ...RESTART, '--wait'),
      ]);
    })();
    let attempts = 6;
    let isUpgraded = false;
    void upgraded
      .finally(() => {
        isUpgraded = true;
      })
      .catch(() => {});
    while (!isUpgraded) await edited(fleet, attempts++, first);
    await upgraded;
    await edited(fleet, attempts, first);
  });
  await steps.run('meshctl check finds no problem', () => fleet.meshctl('check', '--mgmt-context', management.name));
  await steps.run('meshctl deregisters both clusters: outputs are removed', async () => {
    for (const { name } of clusters)
      await fleet.meshctl('cluster', 'deregister', name, '--mgmt-context', management.name, '--yes');
    for (const cluster of clusters) assert.equal(await outputsOf(cluster.client), []);
  });
  const left = (cluster: RealCluster, expected?: RegExp) =>
    nothingLeft(cluster, before.get(cluster) ?? new Set(), expected);
  await steps.run(`meshctl uninstalls the agent of ${west.name}: nothing is left`, async () => {
    await fleet.meshctl('uninstall', 'agent', '--context', west.name, '--purge', '--yes');
    await left(west);
  });
  await steps.run('Helm uninstalls the rest: only CRDs and the namespace stay', async () => {
    await fleet.helm(east, 'uninstall', AGENT, '--wait');
    await fleet.helm(management, 'uninstall', 'meshrelay', '--wait');
    for (const cluster of [management, east]) await left(cluster, EXPECTED_AFTER_HELM);
  });
  await steps.run('CRDs and namespaces are deleted: nothing is left', () =>
    Promise.all(
      [management, east].map(async (cluster) => {
        await cluster.kubectl('delete', '-f', CRDS);
        await cluster.kubectl('delete', 'namespace', NAMESPACE);
        await left(cluster);
      }),
    ),
  );
}

async function installWorkloads(fleet: Fleet, cluster: RealCluster): Promise<void> {
  await fleet.apply(cluster, plan.istioCrds);
  for (const { metadata } of plan.istioCrds)
    await cluster.kubectl('wait', `crd/${metadata.name}`, '--for=condition=Established', '--timeout=60s');
  // The image has Node.
  await fleet.apply(cluster, workloads('meshrelay/agent:0.0.0'));
  const deployments = [['istio-system', 'istiod'], ...['storefront', 'reviews'].map((name) => [SHOP, name])];
  await Promise.all(deployments.map(([namespace = '', name = '']) => rolledOut(cluster, namespace, name)));
}

/** Two replicas, which share a Redis. @returns the address of its load balancer */
async function installServer(fleet: Fleet): Promise<string> {
  const { management } = fleet;
  await fleet.apply(management, [RESTRICTED_NAMESPACE]);
  const chart = join(plan.earlierCharts, 'meshrelay');
  const sets = setting('replicas=2', 'redis.enabled=true', `redis.image=${REDIS_IMAGE}`);
  await fleet.helm(management, 'install', 'meshrelay', chart, ...sets, ...WAIT);
  const { body } = await management.client.get(`/api/v1/namespaces/${NAMESPACE}/services/${SERVER}`);
  return body.status.loadBalancer.ingress[0].ip;
}

/** It is not ready before its cluster is registered. */
async function installAgent(fleet: Fleet, cluster: RealCluster, address: string): Promise<void> {
  await fleet.apply(cluster, [RESTRICTED_NAMESPACE]);
  const relay = [`config.relay.cluster=${cluster.name}`, `config.relay.serverAddress=${address}:${RELAY_PORT}`];
  const sets = setting('replicas=2', ...relay);
  const chart = join(plan.earlierCharts, 'meshrelay-agent');
  await fleet.helm(cluster, 'install', AGENT, chart, ...sets);
}

/** It installs the agent, if it finds none. */
async function register(fleet: Fleet, { name }: RealCluster, ...options: readonly string[]): Promise<void> {
  const contexts = ['--mgmt-context', fleet.management.name, '--context', name];
  await fleet.meshctl('cluster', 'register', name, ...contexts, ...options);
}

function setting(...values: readonly string[]): readonly string[] {
  return values.flatMap((value) => ['--set', value]);
}

async function upgrade(fleet: Fleet, cluster: RealCluster, name: 'meshrelay' | typeof AGENT): Promise<void> {
  await fleet.helm(cluster, 'upgrade', name, chartFolder(name), '--reset-then-reuse-values', ...RESTART, ...WAIT);
}

/** The outputs of each cluster, once one of them has this text. */
function outputsWith(clusters: readonly RealCluster[], text: string): Promise<readonly (readonly Output[])[]> {
  return Promise.all(
    clusters.map(async ({ name, client }) => {
      let seen: readonly Output[] = [];
      return eventually(
        `outputs of ${name} contain ${text}`,
        async () => {
          seen = await outputsOf(client);
          return seen.some((output) => output.text.includes(text)) ? seen : undefined;
        },
        { deadline: WITHIN, every: INTERVAL, seen: () => seen.map(({ key }) => key) },
      );
    }),
  );
}

/** Changes the policy. @throws Error if the change does not arrive everywhere, or an output was deleted */
async function edited(fleet: Fleet, attempts: number, before: readonly (readonly Output[])[]): Promise<void> {
  // The API server refuses writes while a CRD is replaced.
  await eventually('the edit is accepted', () => editRetries(fleet.management.client, attempts, WORKLOAD_CLUSTERS), {
    every: INTERVAL,
  });
  const after = await outputsWith(fleet.workloads, `"attempts":${attempts}`);
  assert.equal(
    before.flatMap((outputs, index) => deleted(outputs, after[index] ?? [])),
    [],
  );
}

/** Waits until istiod's metrics count a VirtualService. */
async function istiodHasRead({ name, client }: RealCluster): Promise<void> {
  const pods = `/api/v1/namespaces/${ISTIO}/pods`;
  let seen: readonly string[] = [];
  await eventually(
    `istiod of ${name} has read a VirtualService`,
    async () => {
      const [pod] = (await client.get(pods)).body.items;
      const { text } = await client.get(`${pods}/${pod.metadata.name}:15014/proxy/metrics`);
      seen = text.split('\n').filter((line) => line.startsWith('pilot_k8s_cfg_events{'));
      return seen.some((line) => line.includes('event="add",type="VirtualService"'));
    },
    { deadline: WITHIN, every: INTERVAL, seen: () => seen },
  );
}

/** The name of the pod that holds the Lease of the agents or the servers. */
async function leaderOf({ client }: RealCluster, lease: string): Promise<string> {
  const { body } = await client.get(`/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases/${lease}`);
  return String(body.spec.holderIdentity).split('_')[0] ?? '';
}

async function nothingLeft(cluster: RealCluster, before: ReadonlySet<string>, expected?: RegExp): Promise<void> {
  let left: readonly string[] = [];
  await eventually(
    `nothing is left in ${cluster.name}`,
    async () => {
      left = added(before, await objectsOf(cluster.client)).filter((key) => expected?.test(key) !== true);
      return left.length === 0;
    },
    { deadline: 60_000, every: INTERVAL, seen: () => left },
  );
}
