/** Registrations that the real server and agent reject: both logs contain the reason, and neither a secret. */
import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import type { KubeObject } from '@meshrelay/api';
import { registerCluster } from '@meshrelay/cli';
import {
  type ClusterPlan,
  joinCluster,
  NAMESPACE,
  type Program,
  RunFolder,
  type RunningCluster,
  startCluster,
  until,
} from '@meshrelay/local-fleet';
import { createRoot, createToken, trustDomain, writeCertificates } from '@meshrelay/pki';
import { assert, eventually, suite } from '@meshrelay/testing';
import { MANAGEMENT } from '../fleet/clusters.ts';
import { startAgents, startManagement } from '../fleet/fleet.ts';

const SECRET = { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true };
const CLUSTER = {
  group: 'multicluster.meshrelay.dev',
  version: 'v1alpha1',
  kind: 'KubernetesCluster',
  plural: 'kubernetesclusters',
  namespaced: true,
};
const TOKEN = 'relay-identity-token-secret';
const ROOT = 'relay-root-tls-secret';
const CLIENT = 'relay-client-tls-secret';
/** A busy machine starts a program in seconds; agents retry every five seconds at most. */
const TIMEOUT_MS = { deadline: 120_000 };

const refused = suite('registrations that are refused');
const cleanup = new AsyncDisposableStack();
const secrets = new Set<string>();
let folder: RunFolder;
let management: RunningCluster;
let server: Program;
let relayPort: number;

refused.before(async () => {
  folder = cleanup.use(new RunFolder('demo'));
  management = await start(MANAGEMENT);
  server = cleanup.use(startManagement(management, { folder }));
  const { signal } = new AbortController();
  const started = await until('the server to start', { signal }, () => server.logged('management server started'));
  relayPort = Number(started['relayPort']);
});

refused.after(() => cleanup.disposeAsync());

async function start(plan: ClusterPlan): Promise<RunningCluster> {
  const cluster = joinCluster(plan, cleanup.use(await startCluster(plan)), folder);
  cleanup.use(cluster.connection);
  return cluster;
}

/** An empty cluster with everything that `meshctl cluster register` creates for `registeredAs`. */
async function prepared(name: string, registeredAs: string = name): Promise<RunningCluster> {
  const plan = { name, region: 'eu', manifests: [], crds: [], network: 20, agents: 1 };
  const cluster = await start(plan);
  await register(cluster, registeredAs);
  return cluster;
}

async function register(cluster: RunningCluster, registeredAs: string): Promise<void> {
  await registerCluster({
    cluster: registeredAs,
    management: management.connection,
    workload: cluster.connection,
    namespace: NAMESPACE,
    tokenLifetime: 3_600_000,
    timeout: 0,
    now: () => new Date(),
    step: () => undefined,
  });
  secrets.add((await data(cluster, TOKEN))['token'] ?? '');
}

async function data({ connection }: RunningCluster, name: string): Promise<Record<string, string>> {
  const secret = (await connection.objects(SECRET).read({ namespace: NAMESPACE, name })) as
    | (KubeObject & { readonly data?: Record<string, string> })
    | undefined;
  return Object.fromEntries(
    Object.entries(secret?.data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
  );
}

async function setData({ connection }: RunningCluster, name: string, values: Record<string, string>): Promise<void> {
  const encoded = Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]);
  await connection.objects(SECRET).merge({ namespace: NAMESPACE, name }, { data: Object.fromEntries(encoded) });
}

/** Starts the cluster's agent and waits until both logs have the reason. No certificate may have been issued then. */
async function isRefused(cluster: RunningCluster, reasons: { agent: string; server: string }): Promise<void> {
  const [agent] = startAgents(cluster, relayPort, { folder });
  assert.ok(agent);
  await using _agent = agent;
  for (const { name, logFile, reason } of [
    { name: agent.name, logFile: agent.logFile, reason: reasons.agent },
    { name: server.name, logFile: server.logFile, reason: reasons.server },
  ]) {
    const log = (): string => readFileSync(logFile, 'utf8');
    await eventually(`"${reason}" in the log of ${name}`, () => log().includes(reason), {
      ...TIMEOUT_MS,
      seen: () => log().split('\n').slice(-6),
    });
  }
  const issued = await data(cluster, CLIENT);
  assert.is(issued['tls.crt'], undefined, 'no certificate was issued');
  for (const line of (issued['tls.key'] ?? '').split('\n').filter((one) => one !== '' && !one.startsWith('-----')))
    secrets.add(line);
}

refused('an unknown token', async () => {
  const cluster = await prepared('unknown-token');
  const token = createToken().reveal();
  secrets.add(token);
  await setData(cluster, TOKEN, { token });
  const reason = 'cluster unknown-token is not registered: the token is not known';
  await isRefused(cluster, { agent: reason, server: reason });
});

refused('a token that was used before', async () => {
  const cluster = await prepared('used-token');
  const { token = '' } = await data(cluster, TOKEN);
  const [first] = startAgents(cluster, relayPort, { folder });
  assert.ok(first);
  {
    await using _first = first;
    await eventually('the first registration', async () => (await data(cluster, CLIENT))['tls.crt'], TIMEOUT_MS);
    await eventually('the token to be removed', async () => (await data(cluster, TOKEN))['token'] === undefined);
  }
  // Another cluster, or a thief, uses the same token and its own key.
  const thief = await prepared('thief');
  await setData(thief, TOKEN, { token });
  const posing = { ...thief, plan: { ...thief.plan, name: 'used-token' } };
  const reason = 'cluster used-token is not registered: the token was used before';
  await isRefused(posing, { agent: reason, server: reason });
});

refused('a token of another cluster', async () => {
  const cluster = await prepared('mine', 'yours');
  await declare('mine');
  const reason = 'cluster mine is not registered: the token was created for another cluster';
  await isRefused(cluster, { agent: reason, server: reason });
});

refused('an undeclared cluster', async () => {
  const cluster = await prepared('undeclared');
  await management.connection.objects(CLUSTER).delete({ namespace: NAMESPACE, name: 'undeclared' });
  const reason = 'cluster undeclared is not registered: no KubernetesCluster declares it';
  await isRefused(cluster, { agent: reason, server: reason });
});

refused('a server of another CA, by the agent', async () => {
  const cluster = await prepared('other-ca');
  const domain = trustDomain('relay.meshrelay.local');
  const other = await createRoot({ commonName: 'another relay', trustDomain: domain, days: 1, now: new Date() });
  await setData(cluster, ROOT, { 'ca.crt': writeCertificates([other.certificate]) });
  await isRefused(cluster, {
    agent: "the server's certificate is not trusted here",
    server: 'connection ended without a request',
  });
});

refused('and no log contains a token or a key', () => {
  const programs = [
    'mgmt-server',
    ...['unknown-token', 'used-token', 'mine', 'undeclared', 'other-ca'].map((name) => `agent-${name}-0`),
  ];
  assert.ok(secrets.size >= 6);
  for (const program of programs) {
    const log = readFileSync(folder.logFile(program), 'utf8');
    assert.ok(log.length > 0);
    for (const secret of secrets) {
      assert.ok(secret.length > 10);
      for (const form of [secret, Buffer.from(secret).toString('base64')])
        assert.not.ok(log.includes(form), `the log of ${program} holds a secret`);
    }
    assert.not.match(log, 'PRIVATE KEY');
  }
});

async function declare(name: string): Promise<void> {
  await management.connection.objects(CLUSTER).create({
    apiVersion: 'multicluster.meshrelay.dev/v1alpha1',
    kind: 'KubernetesCluster',
    metadata: { name, namespace: NAMESPACE },
    spec: {},
  });
}

refused.run();
