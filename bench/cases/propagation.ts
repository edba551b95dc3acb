/** How long a change in one cluster takes to another's agent, through the real server; beside bare grpc-js with as many hops. */
import { Buffer } from 'node:buffer';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubeObject } from '@meshrelay/api';
import { crds } from '@meshrelay/api/crds';
import { connect, Secrets } from '@meshrelay/kube';
import { startKubeSim } from '@meshrelay/kube-sim';
import { serverConfig, startManagementServer } from '@meshrelay/mgmt-server';
import { createToken, ROOT_SECRET, readTokenBook, TOKENS_SECRET, withTokenBook } from '@meshrelay/pki';
import { silentLogger } from '@meshrelay/telemetry';
import { quantile } from '../measure.ts';
import { DialledAgent } from '../propagation/dialled-agent.ts';
import { Forwarder } from '../propagation/forwarder.ts';
import { CLUSTERS, type Cluster, discovered, envelopeOf, gateway, virtualMesh } from '../propagation/two-clusters.ts';
import { createAuthority } from '../relay/authority.ts';

const NAMESPACE = 'meshrelay';

export interface PropagationResult {
  /** Milliseconds from what one agent tells to what the other is told of it. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of a message as large that a bare server forwards, and its answer back. */
  readonly rawP50Ms: number;
  readonly rawP99Ms: number;
}

/** One change after the other, and one message after the other, in turns. */
export async function propagation({ changes }: { readonly changes: number }): Promise<PropagationResult> {
  await using cleanup = new AsyncDisposableStack();
  const { near, far } = await twoAgents(cleanup);
  const authority = await createAuthority();
  const ends = [await authority.agent('near'), await authority.agent('far')] as const;
  const raw = cleanup.use(await Forwarder.start(authority, ends));
  const message = Buffer.from(envelopeOf(gateway('near', 0)).body);
  const [ours, theirs]: [number[], number[]] = [[], []];
  const warmUp = Math.ceil(changes / 5);
  for (let change = 1; change <= warmUp + changes; change++) {
    const object = gateway('near', change);
    const applied = far.applies(addressOf(object));
    const start = performance.now();
    near.tell(object);
    await applied;
    const between = performance.now();
    await raw.send(message);
    if (change <= warmUp) continue;
    ours.push(between - start);
    theirs.push(performance.now() - between);
  }
  return {
    p50Ms: quantile(ours, 0.5),
    p99Ms: quantile(ours, 0.99),
    rawP50Ms: quantile(theirs, 0.5),
    rawP99Ms: quantile(theirs, 0.99),
  };
}

function addressOf(object: KubeObject): string {
  const spec = object.spec as { kubeService: { externalAddresses: ReadonlyArray<{ ip: string }> } };
  return `"${spec.kubeService.externalAddresses[0]?.ip}"`;
}

/** A server, and the agents of two clusters that are one virtual mesh. */
async function twoAgents(cleanup: AsyncDisposableStack): Promise<Record<Cluster, DialledAgent>> {
  const registered = CLUSTERS.map((name) => ({
    apiVersion: 'multicluster.meshrelay.dev/v1alpha1',
    kind: 'KubernetesCluster',
    metadata: { name, namespace: NAMESPACE },
    spec: {},
  }));
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } };
  const objects = [namespace, ...crds, ...registered, virtualMesh()] as never[];
  const sim = cleanup.use(await startKubeSim({ name: 'management', controllers: false, objects }));
  const folder = await mkdtemp(join(tmpdir(), 'propagation-'));
  cleanup.defer(() => rm(folder, { recursive: true }));
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, sim.kubeconfig);
  const config = serverConfig.parse({
    namespace: NAMESPACE,
    relay: { listen: '127.0.0.1:0', serverNames: ['mgmt-server.meshrelay'] },
    kubernetes: { kubeconfig },
    http: { listen: '127.0.0.1:0' },
    health: { listen: '127.0.0.1:0' },
  });
  const server = cleanup.use(await startManagementServer(config, silentLogger));
  const secrets = new Secrets(cleanup.use(connect({ file: kubeconfig })), NAMESPACE);
  const roots = (await secrets.read(ROOT_SECRET))?.data['ca.crt'] ?? '';
  const dial = async (cluster: Cluster): Promise<DialledAgent> => {
    const token = createToken();
    const expires = new Date(Date.now() + 60_000);
    await secrets.update(TOKENS_SECRET, (data) =>
      withTokenBook(data, readTokenBook(data).declare(token, cluster, expires)),
    );
    const place = { cluster, address: `127.0.0.1:${server.relayPort}`, roots };
    const agent = cleanup.use(await DialledAgent.dial(place, token.reveal()));
    agent.tell(...discovered(cluster), gateway(cluster, 0));
    return agent;
  };
  const [near, far] = [await dial('near'), await dial('far')];
  await far.applies(addressOf(gateway('near', 0)));
  return { near, far };
}
