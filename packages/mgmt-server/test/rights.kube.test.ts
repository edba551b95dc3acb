/**
 * A server with exactly the RBAC rules that `meshctl cluster rbac --server` prints does all its work at a real API
 * server that enforces them.
 */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeObject } from '@meshrelay/api';
import { crds } from '@meshrelay/api/crds';
import { importPlugins } from '@meshrelay/host';
import { connect, meshrelayKind, Secrets } from '@meshrelay/kube';
import { createToken, readTokenBook, TOKENS_SECRET, withTokenBook } from '@meshrelay/pki';
import {
  accountObjects,
  memberRbacRules,
  REPLICA_LEASES,
  type Rights,
  ROOT_SECRET,
  serverRights,
} from '@meshrelay/relay-core';
import { createLogger } from '@meshrelay/telemetry';
import { assert, eventually, realApiServer, temporaryFolder, test } from '@meshrelay/testing';
import { applyAll, pathOf, tokenOf } from '@meshrelay/testing/accounts';
import { Client, targetOf } from '@meshrelay/testing/api-server';
import { CustomResources } from '@meshrelay/testing/custom-resources';
import { serverConfig } from '../src/config/config.ts';
import { startManagementServer } from '../src/mod.ts';
import { istioCluster, kubernetesCluster, timeoutPolicy, virtualMesh } from './support/discovered.ts';
import { register, ScriptedAgent } from './support/scripted-agent.ts';

const admin = connect({ text: realApiServer() });
test.after(async () => await admin[Symbol.asyncDispose]());
const client = new Client(targetOf(realApiServer()));
test.after(() => client[Symbol.dispose]());
const plugins = await importPlugins(undefined);
const BUSY = { deadline: 120_000 };

/** A server in its own namespace, with these rules. */
async function withServer(rights: Rights, fields: object = {}) {
  const namespace = `server-${randomUUID().slice(0, 8)}`;
  await using stack = new AsyncDisposableStack();
  await CustomResources.install(client, crds);
  const objects = accountObjects({ name: namespace, namespace }, rights);
  await applyAll(client, objects);
  for (const object of objects.filter(({ kind, metadata }) => metadata.namespace === undefined && kind !== 'Namespace'))
    stack.defer(async () => void (await client.delete(pathOf(object))));
  const kubeconfig = join(stack.use(temporaryFolder()).path, 'kubeconfig');
  writeFileSync(
    kubeconfig,
    realApiServer().replaceAll(client.target.token, await tokenOf(client, namespace, namespace)),
  );
  const log: string[] = [];
  const server = stack.use(
    await startManagementServer(
      serverConfig.parse({
        namespace,
        replica: 'server-0',
        relay: { listen: '127.0.0.1:0', serverNames: ['mgmt-server.meshrelay'] },
        kubernetes: { kubeconfig },
        http: { listen: '127.0.0.1:0' },
        health: { listen: '127.0.0.1:0' },
        peers: { listen: '127.0.0.1:0' },
        ...fields,
      }),
      {
        plugins,
        logger: createLogger({ name: 'mgmt-server', level: 'debug', destination: { write: (line) => log.push(line) } }),
      },
    ),
  );
  const seen = { ...BUSY, seen: () => log.slice(-8) };
  const owned = stack.move();
  return {
    namespace,
    server,
    seen,
    secrets: new Secrets(admin, namespace),
    forbidden: () => log.filter((line) => /forbidden|RELAY_E_KUBE_DENIED/i.test(line)),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const within = (namespace: string, object: KubeObject): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, namespace },
});

/** An agent of cluster c1, registered by a token and connected. */
async function connectedAgent({
  server,
  seen,
  secrets,
}: Awaited<ReturnType<typeof withServer>>): Promise<ScriptedAgent> {
  const token = createToken();
  await secrets.update(TOKENS_SECRET, (data) =>
    withTokenBook(data, readTokenBook(data).declare(token, 'c1', new Date(Date.now() + 600_000))),
  );
  const roots = (await secrets.read(ROOT_SECRET))?.data['ca.crt'] ?? '';
  const dial = { cluster: 'c1', port: server.relayPort, roots };
  const identity = await eventually('it registers', () => register(dial, token.reveal()).catch(() => undefined), seen);
  const agent = new ScriptedAgent().push(...istioCluster('c1', 1));
  agent.connect({ ...dial, identity });
  return agent;
}

test('it registers, discovers, decides and reports, and no call is forbidden', async () => {
  await using management = await withServer(serverRights({ tokenReview: false }));
  const { namespace, seen } = management;
  const cluster = within(namespace, kubernetesCluster('c1'));
  const policy = within(namespace, timeoutPolicy('slow', 'c1'));
  await admin.objects(meshrelayKind('KubernetesCluster')).create(cluster);
  await admin.objects(meshrelayKind('TrafficPolicy')).create(policy);
  using agent = await connectedAgent(management);
  const read = (kind: 'KubernetesCluster' | 'TrafficPolicy', { metadata }: KubeObject) =>
    admin.objects(meshrelayKind(kind)).read({ namespace, name: metadata.name });
  const statusOf = async (kind: 'KubernetesCluster' | 'TrafficPolicy', object: KubeObject) =>
    ((await read(kind, object)) as { status?: { state?: string } } | undefined)?.status?.state;
  await eventually(
    'the cluster has its status',
    async () => (await statusOf('KubernetesCluster', cluster)) === 'CONNECTED',
    seen,
  );
  await eventually(
    'the policy has its status',
    async () => (await statusOf('TrafficPolicy', policy)) === 'ACCEPTED',
    seen,
  );
  for (const kind of ['Mesh', 'Destination'] as const)
    await eventually(
      `each ${kind} is shown`,
      async () => (await admin.objects(meshrelayKind(kind)).list({ namespace })).length > 0,
      seen,
    );
  await eventually(
    'its decisions are stored',
    async () => (await admin.objects(meshrelayKind('Ledger')).list({ namespace })).length > 0,
    seen,
  );
  await eventually('the agent has its outputs', () => agent.names('VirtualService').length > 0, seen);
  const events = { group: '', version: 'v1', kind: 'Event', plural: 'events', namespaced: true };
  await eventually(
    'the registration is an Event',
    async () => (await admin.objects(events).list({ namespace })).length > 0,
    seen,
  );
  const leases = { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease', plural: 'leases', namespaced: true };
  await eventually(
    'the replica is announced',
    async () => (await admin.objects(leases).read({ namespace, name: REPLICA_LEASES[0] ?? '' })) !== undefined,
    seen,
  );
  agent.disconnect();
  await admin.objects(meshrelayKind('KubernetesCluster')).delete({ namespace, name: 'c1' });
  await eventually(
    'what it showed is gone',
    async () => (await admin.objects(meshrelayKind('Mesh')).list({ namespace })).length === 0,
    seen,
  );
  assert.equal(management.forbidden(), []);
});

test('a mesh that leaves its virtual mesh drops it from its status', async () => {
  await using management = await withServer(serverRights({ tokenReview: false }));
  const { namespace, seen } = management;
  await admin.objects(meshrelayKind('KubernetesCluster')).create(within(namespace, kubernetesCluster('c1')));
  using _agent = await connectedAgent(management);
  const text = JSON.stringify(virtualMesh('vm', ['c1'])).replaceAll('"meshrelay"', JSON.stringify(namespace));
  const virtual = JSON.parse(text) as KubeObject;
  await admin.objects(meshrelayKind('VirtualMesh')).create(virtual);
  const isMember = async (): Promise<boolean | undefined> => {
    const [mesh] = await admin.objects(meshrelayKind('Mesh')).list({ namespace });
    return mesh === undefined ? undefined : 'appliedVirtualMesh' in ((mesh.status ?? {}) as object);
  };
  await eventually('it is a member', async () => (await isMember()) === true, seen);
  await admin.objects(meshrelayKind('VirtualMesh')).delete({ namespace, name: 'vm' });
  await eventually('it is not a member', async () => (await isMember()) === false, seen);
});

test('it participates for its own cluster with the rules of both, and no call is forbidden', async () => {
  const ownCluster = memberRbacRules({ plugins: plugins.map(({ plugin }) => plugin), agent: false });
  await using management = await withServer(serverRights({ tokenReview: true, ownCluster }), { singleCluster: 'own' });
  const { namespace, seen } = management;
  await eventually(
    'it is connected to itself',
    async () => {
      const found = await admin.objects(meshrelayKind('KubernetesCluster')).read({ namespace, name: 'own' });
      return (found as { status?: { state?: string } } | undefined)?.status?.state === 'CONNECTED';
    },
    seen,
  );
  await eventually(
    'it keeps an OutputLedger',
    async () => (await admin.objects(meshrelayKind('OutputLedger')).list({ namespace })).length > 0,
    seen,
  );
  assert.equal(management.forbidden(), []);
});

test.run();
