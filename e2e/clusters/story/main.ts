/**
 * The story, in a network of its own: install by Helm, register, apply policies, fail over, lose agents, servers and
 * nodes, upgrade, deregister, uninstall. `main.ts PLAN`.
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { assert, eventually } from '@meshrelay/testing';
import { GATEWAY } from '../lab/network.ts';
import type { RealCluster } from '../lab/real-cluster.ts';
import { STEP_WITHIN } from '../lab/waiting.ts';
import { serveCertificates } from './bookinfo/certificates.ts';
import { answered, SteadyRequests, setHealth } from './bookinfo/requests.ts';
import { deleteLeader, drainLeader, restartRedis, uncordon } from './disruptions.ts';
import { Edits } from './edits.ts';
import { Fleet, rolledOut } from './fleet.ts';
import {
  AGENT,
  deleteCrds,
  deleteNamespace,
  deregister,
  EXPECTED_AFTER_HELM,
  installAgent,
  installServer,
  installServerByMeshctl,
  NAMESPACE_ALONE,
  nothingLeft,
  register,
  SERVER,
  uninstallByMeshctl,
  upgrade,
  upgradeByMeshctl,
} from './installation.ts';
import { NAMESPACE, WORKLOAD_CLUSTERS } from './names.ts';
import { outputsOf } from './outputs.ts';
import type { StoryPlan } from './plan.ts';
import { failover, REVIEWS_EVERYWHERE, readers, retries, virtualMesh } from './policies.ts';
import { objectsOf } from './state.ts';
import { Steps } from './steps.ts';
import { installWorkloads, workloadsReady } from './workloads.ts';

const FIRST_ATTEMPTS = 2;
/** From a caller of the whole application: the page calls the details and the reviews, which call the ratings. */
const PAGE = { from: 'details', url: 'http://productpage:9080/' };
/** A policy allows the page alone to call the reviews. */
const REFUSED = { from: 'details', url: 'http://reviews:9080/' };
const EVERYWHERE = { from: 'productpage', url: `http://${REVIEWS_EVERYWHERE}:9080/` };

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
      ...clusters.map((cluster) => cluster.importImages([plan.images.agent, plan.istiod, plan.proxy])),
    ]),
  );
  await using certificates = await serveCertificates(GATEWAY);
  await steps.run('istiod and Bookinfo run in the workload clusters', async () => {
    const secrets = { address: GATEWAY, port: certificates.port };
    await Promise.all(clusters.map((cluster) => installWorkloads(fleet, cluster, plan, secrets)));
    await answered(east, PAGE, { status: 200 });
  });
  const before = new Map<RealCluster, ReadonlySet<string>>();
  for (const cluster of fleet.clusters) before.set(cluster, await objectsOf(cluster.client));

  const address = await steps.run('Helm installs the server of an earlier commit', () =>
    installServer(fleet, plan.earlierCharts),
  );
  await steps.run(`Helm installs the agent of ${east.name}`, () =>
    installAgent(fleet, east, plan.earlierCharts, address),
  );
  await steps.run(`meshctl registers both clusters, and installs the agent of ${west.name}`, async () => {
    await register(fleet, east);
    await register(fleet, west, '--set', 'replicas=2');
    await Promise.all(clusters.map((cluster) => rolledOut(cluster, NAMESPACE, AGENT)));
  });

  const edits = await steps.run('policies reach both clusters, and requests', async () => {
    await fleet.apply(management, [
      virtualMesh(WORKLOAD_CLUSTERS),
      retries(FIRST_ATTEMPTS, WORKLOAD_CLUSTERS),
      readers(WORKLOAD_CLUSTERS),
      failover(),
    ]);
    const begun = await Edits.begin(fleet, FIRST_ATTEMPTS);
    await begun.applies();
    await answered(east, REFUSED, { status: 403 });
    return begun;
  });
  await steps.run(`federation: the page of ${east.name} reads the reviews of ${west.name}`, () => {
    const url = `http://reviews.bookinfo.svc.${west.name}.global:9080/`;
    return answered(east, { from: 'productpage', url }, { status: 200, cluster: west.name });
  });
  await steps.run(`failover: the reviews of ${west.name} answer while those of ${east.name} fail`, async () => {
    await answered(east, EVERYWHERE, { status: 200, cluster: east.name });
    await setHealth(east, 'reviews', 'fail');
    await answered(east, EVERYWHERE, { status: 200, cluster: west.name });
    await setHealth(east, 'reviews', 'recover');
    await answered(east, EVERYWHERE, { status: 200, cluster: east.name });
    await answered(east, PAGE, { status: 200 });
  });

  await using requests = new SteadyRequests(east, PAGE);
  await steps.run("the agent's leader is deleted: outputs stay, and an edit arrives", async () => {
    await deleteLeader(east, AGENT, '--wait=false');
    await edits.next();
  });
  await steps.run('the leading server is killed: outputs stay, and an edit arrives', async () => {
    await deleteLeader(management, SERVER, '--force', '--grace-period=0');
    await edits.next();
  });
  await steps.run('Redis is restarted without its data: outputs stay, and an edit arrives', async () => {
    await restartRedis(management);
    await edits.next();
  });
  await steps.run('Helm and meshctl upgrade during edits: no output is deleted', async () => {
    const upgraded = (async () => {
      await upgrade(fleet, management, 'meshrelay');
      await Promise.all([upgrade(fleet, east, AGENT), upgradeByMeshctl(fleet, west)]);
    })();
    let isUpgraded = false;
    void upgraded
      .finally(() => {
        isUpgraded = true;
      })
      .catch(() => {});
    while (!isUpgraded) await edits.next();
    await upgraded;
    await edits.next();
  });
  await steps.run('no request has failed meanwhile', async () => assert.ok((await requests.stop()) > 0));
  await steps.run("the leaders' nodes are drained: outputs stay, and an edit arrives", async () => {
    const leaders = [[management, SERVER] as const, [east, AGENT] as const];
    const drained = await Promise.all(leaders.map(([cluster, lease]) => drainLeader(cluster, lease)));
    // A drain ends when pods are gone; those of Bookinfo have no second replica.
    await workloadsReady(east);
    await edits.next();
    await Promise.all(leaders.map(([cluster], index) => uncordon(cluster, drained[index] ?? '')));
    await Promise.all(leaders.map(([cluster, name]) => rolledOut(cluster, NAMESPACE, name)));
    await answered(east, PAGE, { status: 200 });
  });
  // A replica tries Redis, which was drained too, again after some seconds.
  await steps.run('meshctl check finds no problem', () =>
    eventually('a check without problems', () => fleet.meshctl('check', '--mgmt-context', management.name), {
      deadline: STEP_WITHIN,
      every: 1000,
    }),
  );

  await steps.run('meshctl deregisters both clusters: outputs are removed, and requests succeed', async () => {
    for (const cluster of clusters) await deregister(fleet, cluster);
    for (const cluster of clusters) assert.equal(await outputsOf(cluster.client), []);
    await answered(east, PAGE, { status: 200 });
    await answered(east, REFUSED, { status: 200 });
  });
  const left = (cluster: RealCluster, expected?: RegExp) =>
    nothingLeft(cluster, before.get(cluster) ?? new Set(), expected);
  await steps.run(`meshctl uninstalls the agent of ${west.name}: nothing is left`, async () => {
    await uninstallByMeshctl(fleet, west, 'agent');
    await left(west);
  });
  await steps.run('Helm uninstalls the rest: only CRDs and the namespace stay', async () => {
    await fleet.helm(east, 'uninstall', AGENT, '--wait');
    await fleet.helm(management, 'uninstall', 'meshrelay', '--wait');
    for (const cluster of [management, east]) await left(cluster, EXPECTED_AFTER_HELM);
  });
  await steps.run(`the CRDs and the namespace of ${east.name} are deleted: nothing is left`, async () => {
    await deleteCrds(east);
    await deleteNamespace(east);
    await left(east);
  });
  await steps.run('meshctl installs the server again, and upgrades it', () => installServerByMeshctl(fleet));
  await steps.run('meshctl uninstalls it: only the namespace stays, and after that nothing', async () => {
    await uninstallByMeshctl(fleet, management);
    await left(management, NAMESPACE_ALONE);
    await deleteNamespace(management);
    await left(management);
  });
}
