/**
 * A real Kubernetes API server on a real etcd, on loopback. It has one controller only, which creates tokens of
 * ServiceAccounts.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@meshrelay/testing';
import { type Child, freePort, startChild } from '@meshrelay/testing/processes';
import { type KubernetesPrograms, kubernetesPrograms } from './kubernetes-programs.ts';

/** Number of ports to try: another process may take a port between its choice and its use. */
const ATTEMPTS = 3;
/** Milliseconds from its start until the server must be ready. */
const READY_WITHIN = 120_000;

/** Programs in Go that run for minutes: a third less CPU time for starting, because they collect garbage less often. */
export const SELDOM_COLLECTING: Readonly<Record<string, string>> = { GOGC: '400' };

/** A running API server. */
export interface RealKube extends AsyncDisposable {
  /** YAML, with a token of the group system:masters. */
  readonly kubeconfig: string;
}

export interface RealKubeOptions {
  /** File for a JSON line of each request that has ended, with its `userAgent`. */
  readonly auditLog?: string;
}

/**
 * Builds missing programs and starts them.
 * @throws Error with the last output of the program that did not start
 */
export async function startRealKube(
  log: (line: string) => void = () => {},
  options: RealKubeOptions = {},
): Promise<RealKube> {
  const programs = await kubernetesPrograms(log);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(programs, options);
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      log(`kube-apiserver did not come up, once more: ${(error as Error).message}`);
    }
  }
}

async function start({ etcd, kubernetes }: KubernetesPrograms, { auditLog }: RealKubeOptions): Promise<RealKube> {
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'meshrelay-kube-'));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const token = randomBytes(16).toString('hex');
  writeCredentials(folder, token);
  const [client, peer, secure] = [await freePort(), await freePort(), await freePort()];
  const options = { cwd: folder, env: SELDOM_COLLECTING };
  const store = stack.use(startChild(etcd, etcdArguments(folder, client, peer), options));
  const args = [...apiServerArguments(folder, client, secure), ...auditArguments(folder, auditLog)];
  const server = stack.use(startChild(kubernetes, args, options));
  const ca = await Promise.race([
    readyServer({ folder, port: secure, token, server }),
    store.untilItEnds,
    server.untilItEnds,
  ]);
  const kubeconfig = kubeconfigOf(`https://127.0.0.1:${secure}`, ca, token);
  writeFileSync(join(folder, 'kubeconfig'), kubeconfig, { mode: 0o600 });
  stack.use(startChild(kubernetes, controllerArguments(folder), { cwd: folder }));
  const owned = stack.move();
  return {
    kubeconfig,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function writeCredentials(folder: string, token: string): void {
  writeFileSync(join(folder, 'tokens.csv'), `${token},admin,admin,system:masters\n`);
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(join(folder, 'sa.key'), privateKey.export({ type: 'pkcs1', format: 'pem' }));
  writeFileSync(join(folder, 'sa.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
}

function etcdArguments(folder: string, client: number, peer: number): string[] {
  const clientUrl = `http://127.0.0.1:${client}`;
  const peerUrl = `http://127.0.0.1:${peer}`;
  return [
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=${clientUrl}`,
    `--advertise-client-urls=${clientUrl}`,
    `--listen-peer-urls=${peerUrl}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--initial-cluster=default=${peerUrl}`,
    '--unsafe-no-fsync',
    '--log-level=warn',
  ];
}

function apiServerArguments(folder: string, etcd: number, port: number): string[] {
  return [
    'kube-apiserver',
    `--etcd-servers=http://127.0.0.1:${etcd}`,
    `--secure-port=${port}`,
    '--bind-address=127.0.0.1',
    // On a machine without a network route the server finds no address by itself; its Service is not used here.
    '--advertise-address=127.0.0.1',
    '--endpoint-reconciler-type=none',
    `--cert-dir=${folder}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${join(folder, 'sa.pub')}`,
    `--service-account-signing-key-file=${join(folder, 'sa.key')}`,
    `--token-auth-file=${join(folder, 'tokens.csv')}`,
    '--authorization-mode=RBAC',
    '--service-cluster-ip-range=10.0.0.0/16',
  ];
}

function auditArguments(folder: string, auditLog: string | undefined): string[] {
  if (auditLog === undefined) return [];
  const policy = join(folder, 'audit.json');
  const rules = [{ level: 'Metadata', omitStages: ['RequestReceived', 'ResponseStarted'] }];
  writeFileSync(policy, JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules }));
  return [`--audit-policy-file=${policy}`, `--audit-log-path=${auditLog}`];
}

function controllerArguments(folder: string): string[] {
  return [
    'kube-controller-manager',
    '--controllers=serviceaccount-token-controller',
    `--kubeconfig=${join(folder, 'kubeconfig')}`,
    `--service-account-private-key-file=${join(folder, 'sa.key')}`,
    '--leader-elect=false',
    // It serves nothing.
    '--secure-port=0',
  ];
}

/** Waits until the server is ready. Resolves with the certificate that the server has generated. */
async function readyServer({
  folder,
  port,
  token,
  server,
}: {
  readonly folder: string;
  readonly port: number;
  readonly token: string;
  readonly server: Child;
}): Promise<string> {
  const waiting = { deadline: READY_WITHIN, seen: server.lastWords };
  const ca = await eventually(
    'kube-apiserver has a certificate',
    () => {
      const text = readFileSync(join(folder, 'apiserver.crt'), 'utf8');
      return text.includes('END CERTIFICATE') ? text : undefined;
    },
    waiting,
  );
  const agent = new Agent({ ca, keepAlive: true });
  const url = `https://127.0.0.1:${port}/readyz`;
  try {
    await eventually('kube-apiserver is ready', async () => (await statusOf(url, token, agent)) === 200, waiting);
  } finally {
    agent.destroy();
  }
  return ca;
}

/** Undefined while no server responds. */
function statusOf(url: string, token: string, agent: Agent): Promise<number | undefined> {
  return new Promise((resolve) => {
    const requested = request(url, { agent, headers: { authorization: `Bearer ${token}` } }, (reply) => {
      reply.resume();
      resolve(reply.statusCode);
    });
    requested.on('error', () => resolve(undefined));
    requested.end();
  });
}

function kubeconfigOf(server: string, ca: string, token: string): string {
  const authority = Buffer.from(ca).toString('base64');
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'real',
    clusters: [{ name: 'real', cluster: { server, 'certificate-authority-data': authority } }],
    contexts: [{ name: 'real', context: { cluster: 'real', user: 'admin' } }],
    users: [{ name: 'admin', user: { token } }],
  });
}
