/** Accepted kubeconfigs, and the messages for others. */

import type { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { inspect } from 'node:util';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { connect, isKubeError, type KubeError, type KubeSource } from '../src/mod.ts';
import { StubApi, rejection as statusOf } from './stub-api.ts';

const namespaces = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false };

const config = (changes: { user?: object; cluster?: object; current?: string | undefined } = {}): string =>
  JSON.stringify({
    clusters: [
      { name: 'c1', cluster: { server: 'https://one:6443/', ...changes.cluster } },
      { name: 'c2', cluster: { server: 'https://two/k8s/clusters/x' } },
    ],
    users: [{ name: 'u', user: { token: 't', ...changes.user } }],
    contexts: [
      { name: 'first', context: { cluster: 'c1', user: 'u', namespace: 'mesh' } },
      { name: 'second', context: { cluster: 'c2', user: 'u' } },
      { name: 'no-user', context: { cluster: 'c1', user: 'ghost' } },
    ],
    ...('current' in changes ? { 'current-context': changes.current } : { 'current-context': 'first' }),
  });

const refused = (source: KubeSource, options?: { context: string }): string => rejection(source, options).message;

function rejection(source: KubeSource, options?: { context: string }): KubeError {
  try {
    connect(source, options);
  } catch (error) {
    assert.ok(isKubeError(error, 'RELAY_E_KUBE_CONFIG'), String(error));
    return error;
  }
  throw new Error('was accepted');
}

test('the current context, or the requested one', () => {
  const first = connect({ text: config() });
  assert.is(first.server, 'https://one:6443');
  assert.is(first.namespace, 'mesh');
  const second = connect({ text: config() }, { context: 'second' });
  assert.is(second.server, 'https://two/k8s/clusters/x');
  assert.is(second.namespace, undefined);
});

test('HTTP/2 is not offered to an API server', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const greeting = (async (): Promise<string> => {
    const [socket] = (await once(server, 'connection')) as [Socket];
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    server.close();
    return bytes.toString('latin1');
  })();
  const text = config({ cluster: { server: `https://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } });
  await using connection = connect({ text });
  const requested = connection
    .objects(namespaces)
    .list()
    .catch(() => 'refused');
  const hello = await greeting;
  assert.is(await requested, 'refused');
  assert.match(hello, 'http/1.1');
  const offers = ['\u0002h2\u0008http/1.1', '\u0008http/1.1\u0002h2'];
  assert.not.ok(offers.some((offer) => hello.includes(offer)));
});

test('a replica sends its name for the audit log of the cluster', async () => {
  await using api = await StubApi.start(() => ({ body: { kind: 'NamespaceList', items: [] } }));
  for (const options of [{ replica: 'mgmt-server-0' }, {}]) {
    await using connection = connect({ text: api.kubeconfig }, options);
    await connection.objects(namespaces).list();
  }
  assert.equal(
    api.requests.map(({ headers }) => headers['user-agent']),
    ['meshrelay/mgmt-server-0', 'meshrelay'],
  );
});

test('an answer can be plain text; a rejection is an error as usual', async () => {
  await using api = await StubApi.start(({ path }) =>
    path.endsWith('/log')
      ? { body: 'one\ntwo\n', headers: { 'content-type': 'text/plain' } }
      : statusOf(404, 'NotFound', 'pods "b" not found'),
  );
  const log = (path: string) => api.connection.text({ what: 'read the log', method: 'GET', path });
  assert.is(await log('/api/v1/namespaces/a/pods/b/log'), 'one\ntwo\n');
  assert.is(api.requests[0]?.headers['accept'], 'application/json, */*');
  const error = await log('/api/v1/namespaces/a/pods/b').catch((cause: unknown) => cause);
  assert.ok(isKubeError(error, 'RELAY_E_KUBE_NOT_FOUND'), String(error));
});

test('a file may name commands and files, relative to itself', () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'kubeconfig');
  writeFileSync(file, config({ user: { 'client-certificate': 'me.crt', exec: { command: 'login' } } }));
  assert.is(connect({ file }).config.users[0]?.certFile, join(folder.path, 'me.crt'));
});

test('a text from elsewhere may not', () => {
  for (const [user, cluster, said] of [
    [{ exec: { command: 'sh', apiVersion: 'v1' } }, {}, 'an exec plugin'],
    [{ 'auth-provider': { name: 'exec', config: {} } }, {}, 'an auth provider'],
    [{ 'client-certificate': '/etc/x' }, {}, 'client-certificate'],
    [{ 'client-key': '/etc/x' }, {}, 'client-key'],
    [{}, { 'certificate-authority': '/etc/x' }, 'certificate-authority'],
  ] as const) {
    assert.match(refused({ text: config({ user, cluster }) }), said);
  }
});

test('each fault is reported with the next action', () => {
  assert.match(refused({ file: '/nowhere/kubeconfig' }), '/nowhere/kubeconfig: cannot be read');
  assert.match(refused({ text: 'a: [' }), 'inline kubeconfig: cannot be read as a kubeconfig');
  assert.match(refused({ text: 'null' }), 'cannot be read');
  assert.match(
    refused({ text: config() }, { context: 'third' }),
    'context third does not exist; choose one of first, second',
  );
  assert.match(refused({ text: config({ current: undefined }) }), 'no current context is set');
  assert.match(refused({ text: config() }, { context: 'no-user' }), 'context no-user names no user');
  assert.match(refused({ text: config({ cluster: { server: '' } }) }), 'clusters[0].cluster.server');
  assert.match(refused({ text: config({ cluster: { server: 'http://one' } }) }), 'plain http');
});

test('for a kubeconfig that is not YAML the position is reported, and none of its content', () => {
  const secret = 'c2VjcmV0LXRva2Vu';
  for (const [text, said] of [
    [
      `users:\n  - user:\n      token: ${secret}\n   oops: [\n`,
      'line 4, column 4: bad indentation of a sequence entry',
    ],
    [`users:\n  - user: { token: *${secret} }\n`, /line 2, column \d+: not valid YAML/],
  ] as const) {
    const error = rejection({ text });
    assert.match(error.message, said);
    assert.not.match(inspect(error, { depth: 10, showHidden: true }), secret);
  }
});

test('outside of a pod the in-cluster configuration is missing', () => {
  if (process.env['KUBERNETES_SERVICE_HOST'] === undefined) {
    assert.match(refused({ inCluster: true }), 'KUBERNETES_SERVICE_HOST is not set');
  }
});

test.run();
