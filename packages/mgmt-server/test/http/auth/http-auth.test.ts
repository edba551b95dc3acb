/**
 * The HTTP API with authentication: every request without permission is rejected, on every path; with TLS on reachable
 * addresses.
 */
import { writeFileSync } from 'node:fs';
import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { join } from 'node:path';
import { silentLogger } from '@meshrelay/telemetry';
import { assert, eventually, temporaryFolder, test } from '@meshrelay/testing';
import { createApi } from '../../../src/http/api.ts';
import type { HttpTlsConfig } from '../../../src/http/auth/auth-config.ts';
import { CertificateFiles } from '../../../src/http/auth/certificate-files.ts';
import { RESOURCES } from '../../../src/http/resources.ts';
import { ManagementCluster } from '../../support/management.ts';

interface Query {
  readonly port: number;
  readonly path: string;
  readonly method?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The root to trust; omitted: without TLS. */
  readonly ca?: string;
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly challenge: string | undefined;
}

/** Requests any path, unlike fetch. */
function ask({ port, path, method = 'GET', token, headers = {}, ca }: Query): Promise<Answer> {
  return new Promise((answer, failed) => {
    const bearer = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const options = { host: '127.0.0.1', port, path, method, headers: { ...bearer, ...headers } };
    const sending =
      ca === undefined ? plainRequest(options) : tlsRequest({ ...options, ca, servername: 'mgmt-server.meshrelay' });
    sending
      .on('response', (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          body += chunk;
        });
        response.on('end', () =>
          answer({ status: response.statusCode ?? 0, body, challenge: response.headers['www-authenticate'] }),
        );
      })
      .on('error', failed)
      .end();
  });
}

/** A path of each route of the router itself, so that new routes are tested, too. */
function routed(): string[] {
  const nothing = {} as never;
  const rest = { programs: nothing, changes: nothing, sampler: nothing, logStreams: nothing, logger: silentLogger };
  const { routes } = createApi({ context: nothing, ...rest });
  const paths = routes
    .filter(({ path }) => !path.includes('*'))
    .map(({ path }) => path.replace(/:\w+(\{[^/]*\})?/g, 'c1'));
  return [...new Set(paths)];
}

const BY_REVIEW = { listen: '127.0.0.1:0', auth: { type: 'tokenReview' } };

test('T12: without a valid token every path and method is rejected alike', async () => {
  await using management = await ManagementCluster.start(['c1']);
  await using server = await management.startServer({ http: BY_REVIEW });
  const port = server.httpPort;
  const routes = routed();
  assert.ok(routes.length > 2 * Object.keys(RESOURCES).length, routes.join());
  for (const path of [
    '/api/v1',
    '/api/v1/clusters',
    '/api/v1/clusters/c1',
    '/api/v1/clusters/c1/agent',
    '/api/v1/logs',
  ])
    assert.ok(routes.includes(path), path);
  const paths = [
    ...routes,
    '/api/v1/',
    ...Object.keys(RESOURCES).map((name) => `/api/v1/${name}?watch`),
    ...['/', '/metrics', '/healthz', '/api/v1/../v1/clusters', '//api/v1/clusters', '/api/v1/%2e%2e/clusters'],
    ...['/API/V1/clusters', '/api/v1/clusters/../../../etc/passwd', '/snapshots/input', '/favicon.ico'],
  ];
  for (const path of paths)
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']) {
      const { status, challenge } = await ask({ port, path, method });
      assert.is(status, 401, `${method} ${path}`);
      assert.is(challenge, 'Bearer');
    }
  const { token } = management.sim;
  const bad: Array<Pick<Query, 'token' | 'headers'>> = [
    { token: 'wrong' },
    { token: `${token}x` },
    { token: token.slice(0, -1) },
    { token: 'x'.repeat(15_000) },
    { headers: { authorization: token } },
    { headers: { authorization: `Basic ${btoa(`admin:${token}`)}` } },
    { headers: { authorization: `Bearer ${token}, Bearer ${token}` } },
    { headers: { authorization: 'Bearer ' } },
    { headers: { cookie: `token=${token}` } },
    { headers: { 'x-remote-user': 'admin', 'x-forwarded-user': 'admin' } },
  ];
  for (const each of bad) {
    const { status, body } = await ask({ port, path: '/api/v1/clusters', ...each });
    assert.is(status, 401, JSON.stringify(each).slice(0, 80));
    assert.not.match(body, 'c1');
  }
  assert.is((await ask({ port, path: `/api/v1/clusters?token=${token}` })).status, 401);
});

test('with a valid token it answers under every host name', async () => {
  await using management = await ManagementCluster.start(['c1']);
  await using server = await management.startServer({ http: BY_REVIEW });
  const { token } = management.sim;
  const port = server.httpPort;
  await eventually('the cluster is known', async () => {
    const { status, body } = await ask({ port, path: '/api/v1/clusters', token, headers: { host: 'api.example' } });
    return status === 200 && body.includes('"c1"');
  });
  assert.is((await ask({ port, path: '/api/v1/secrets', token })).status, 404);
  assert.is((await ask({ port, path: '/api/v1/clusters', token, method: 'POST' })).status, 405);
});

/** The key pair of the relay's own Secret, as files. */
function writePair({ management, certFile, keyFile }: { management: ManagementCluster } & HttpTlsConfig): void {
  const { 'tls.crt': cert = '', 'tls.key': key = '' } = management.secret('relay-server-tls-secret');
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key);
}

test('it listens on reachable addresses with authentication and TLS only', async () => {
  await using management = await ManagementCluster.start();
  using folder = temporaryFolder();
  const tls = { certFile: join(folder.path, 'tls.crt'), keyFile: join(folder.path, 'tls.key') };
  const auth = { type: 'tokenReview' };
  for (const [http, expected] of [
    [{ listen: '0.0.0.0:0' }, 'http.auth is not set'],
    [{ listen: '0.0.0.0:0', tls }, 'http.auth is not set'],
    [{ listen: '0.0.0.0:0', auth }, 'tokens would be sent unencrypted; set http.tls'],
    [{ listen: '0.0.0.0:0', auth, tls }, 'http.tls.certFile: '],
  ] as const)
    await management.startServer({ http }).then(
      () => assert.unreachable(),
      (error: Error) => assert.match(error.message, expected),
    );
  writePair({ management, ...tls });
  await using server = await management.startServer({ http: { listen: '0.0.0.0:0', auth, tls } });
  const question = { port: server.httpPort, path: '/api/v1', ca: management.roots };
  assert.is((await ask(question)).status, 401);
  assert.is((await ask({ ...question, token: management.sim.token })).status, 200);
  await ask({ port: server.httpPort, path: '/api/v1' }).then(
    () => assert.unreachable('it speaks without TLS'),
    () => undefined,
  );
});

test('a changed certificate is used; an invalid one is not', async () => {
  await using management = await ManagementCluster.start();
  await using _server = await management.startServer();
  using folder = temporaryFolder();
  const tls = { certFile: join(folder.path, 'tls.crt'), keyFile: join(folder.path, 'tls.key') };
  writePair({ management, ...tls });
  const taken: object[] = [];
  const ends: Date[] = [];
  const server = { setSecureContext: (pair: object) => void taken.push(pair) };
  using files = new CertificateFiles(tls, { onCertificate: (end) => ends.push(end), logger: silentLogger });
  const first = files.pair;
  files.check(server);
  assert.is(taken.length, 0, 'nothing has changed');
  writeFileSync(tls.certFile, 'no certificate');
  files.check(server);
  assert.equal([taken.length, files.pair], [0, first], 'half written');
  const renewed = { ...first, cert: `${first.cert}${management.roots}` };
  writeFileSync(tls.certFile, renewed.cert);
  files.check(server);
  assert.equal([taken, files.pair], [[renewed], renewed]);
  assert.is(ends.length, 2, 'the expiry of each was reported');
  assert.ok(ends.every((end) => end > new Date()));
});

test.run();
