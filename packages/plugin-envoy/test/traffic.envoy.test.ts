/**
 * Requests through real Envoys with the generated configuration: routes for some callers, access rules, TCP, and
 * gateways between clusters.
 */
import { createServer as createHttpServer, type IncomingHttpHeaders, request } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { FleetSpec } from '@meshrelay/plugin-kit';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { type Envoy, envoyProgram, startEnvoy } from '@meshrelay/testing/envoy';
import { Identities } from './support/identities.ts';
import { served } from './support/served.ts';
import { staticBootstrap } from './support/static-bootstrap.ts';

const gateway = (address: string) => ({
  ports: ['tls:15443'],
  labels: { 'mesh.meshrelay.dev/envoy': 'gateway' },
  selector: { app: 'edge', 'mesh.meshrelay.dev/envoy': 'gateway' },
  loadBalancer: address,
});
const destinationSelector = [{ kubeServiceMatcher: { labels: { app: 'reviews' } } }];
const ratings = [{ kubeServiceAccountRefs: { serviceAccounts: [{ name: 'ratings', namespace: 'bookinfo' }] } }];

const FLEET: FleetSpec = {
  about: 'An application that others call from its own cluster and from another.',
  clusters: {
    'cluster-1': {
      services: {
        'edge.gateways': gateway('198.51.100.1'),
        'reviews.bookinfo': { ports: ['http:9080', 'tcp-x:7000'], addresses: ['10.1.1.1'] },
        'ratings.bookinfo': { ports: ['http:9080'] },
        'other.bookinfo': { ports: ['http:9080'] },
      },
    },
    'cluster-2': {
      services: { 'edge.gateways': gateway('198.51.100.2'), 'ratings.bookinfo': { ports: ['http:9080'] } },
    },
  },
  management: [
    {
      VirtualMesh: 'all',
      spec: {
        meshes: ['cluster-1', 'cluster-2'].map((name) => ({
          name: `meshrelay-agent-meshrelay-${name}`,
          namespace: 'meshrelay',
        })),
        federation: { mode: 'ALL' },
      },
    },
    {
      AccessPolicy: 'reads',
      spec: { destinationSelector, sourceSelector: ratings, allowedMethods: ['GET'], allowedPorts: [9080] },
    },
    { AccessPolicy: 'bytes', spec: { destinationSelector, sourceSelector: ratings, allowedPorts: [7000] } },
    {
      TrafficPolicy: 'for-ratings',
      spec: {
        destinationSelector,
        sourceSelector: [{ kubeWorkloadMatcher: { labels: { app: 'ratings' }, namespaces: ['bookinfo'] } }],
        policy: { headerManipulation: { appendRequestHeaders: { 'x-share': '100%' } } },
      },
    },
    {
      TrafficPolicy: 'teapot',
      spec: {
        destinationSelector,
        httpRequestMatchers: [
          { uri: { suffix: '.tea' }, headers: [{ name: 'x-hot', value: 'no', invertMatch: true }] },
        ],
        policy: { faultInjection: { abort: { httpStatus: 418 } } },
      },
    },
  ],
};

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Sends a request to a sidecar as HTTP proxy. */
function ask(
  port: number,
  url: string,
  method = 'GET',
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const requested = request({
      host: '127.0.0.1',
      port,
      method,
      path: url,
      headers: { ...headers, host: new URL(url).host },
      agent: false,
    });
    requested.on('error', reject).on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
    });
    requested.end();
  });
}

/** Opens a tunnel through a sidecar, sends a word, and returns the answer. */
function tunnelled(port: number, authority: string, word: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const requested = request({ host: '127.0.0.1', port, method: 'CONNECT', path: authority, agent: false });
    requested.on('error', reject).on('response', ({ statusCode }) => reject(new Error(`no tunnel: ${statusCode}`)));
    requested.on('connect', (_response, socket) => {
      socket.on('error', reject).once('data', (answer: Buffer) => {
        resolve(answer.toString());
        socket.destroy();
      });
      socket.write(word);
    });
    requested.end();
  });
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const program = await envoyProgram();

if (program !== undefined) {
  test('HTTP and TCP reach their destinations from permitted callers, within a cluster and between two', async () => {
    await using end = new AsyncDisposableStack();
    const application = end.adopt(
      createHttpServer((requested, answer) =>
        answer.end(JSON.stringify({ url: requested.url, headers: requested.headers })),
      ),
      (server) => void server.close(),
    );
    const echo = end.adopt(
      createServer((socket) => socket.on('error', () => {}).pipe(socket)),
      (server) => void server.close(),
    );
    const applications = new Map([
      [9080, await listening(application)],
      [7000, await listening(echo)],
    ]);
    const folder = temporaryFolder();
    end.defer(() => folder[Symbol.dispose]());
    const identities = new Identities(folder.path);
    const clusters = served(FLEET);
    const start = async (
      cluster: string,
      account: string,
      listeners: readonly string[],
      at: (address: string, port: number) => number | undefined,
    ): Promise<Envoy> => {
      const secrets = identities.secretsOf(`spiffe://cluster.local/ns/${account}`);
      const made = staticBootstrap(clusters.get(cluster) ?? [], { listeners, at, secrets });
      return end.use(await startEnvoy(program, made));
    };
    const portOf = async (envoy: Envoy, listener: string): Promise<number> => {
      const port = await envoy.admin.port(listener);
      assert.ok(port !== undefined && port > 0, listener);
      return port;
    };
    const INBOUND = 'inbound/bookinfo/pod/reviews-v1';
    const callee = await start('cluster-1', 'bookinfo/sa/reviews', [INBOUND], (address, port) =>
      address === '127.0.0.1' ? applications.get(port) : undefined,
    );
    const inbound = await portOf(callee, INBOUND);
    const toReviews = (address: string, port: number) =>
      address === '10.1.1.1' && port === 15006 ? inbound : undefined;
    const caller = async (cluster: string, name: string, at: typeof toReviews): Promise<number> => {
      const listener = `outbound/bookinfo/pod/${name}-v1`;
      return await portOf(await start(cluster, `bookinfo/sa/${name}`, [listener], at), listener);
    };

    const near = await caller('cluster-1', 'ratings', toReviews);
    const answer = await ask(near, 'http://reviews.bookinfo:9080/a', 'GET', {
      'x-meshrelay-source-labels': ';app=other;',
    });
    assert.is(answer.status, 200, answer.body);
    const { url, headers } = JSON.parse(answer.body) as { readonly url: string; readonly headers: IncomingHttpHeaders };
    assert.is(url, '/a');
    assert.is(headers['x-share'], '100%', 'the route for callers of these labels');
    assert.is(headers['x-meshrelay-source-labels'], undefined);
    assert.match(String(headers['x-forwarded-client-cert']), 'URI=spiffe://cluster.local/ns/bookinfo/sa/ratings');
    assert.is((await ask(near, 'http://reviews.bookinfo:9080/a', 'POST')).status, 403);
    assert.is((await ask(near, 'http://reviews.bookinfo:9080/a.tea')).status, 418);
    assert.is((await ask(near, 'http://reviews.bookinfo:9080/a.tea', 'GET', { 'x-hot': 'no' })).status, 200);
    assert.is((await ask(near, 'http://missing.bookinfo:9080/')).status, 404);
    assert.is(await tunnelled(near, 'reviews.bookinfo:7000', 'bytes'), 'bytes');

    const stranger = await caller('cluster-1', 'other', toReviews);
    assert.is((await ask(stranger, 'http://reviews.bookinfo:9080/a')).status, 403);

    const edge = 'gateway/gateways/pod/edge-v1/edge';
    const gatewayHostname = await portOf(await start('cluster-1', 'gateways/sa/edge', [edge], toReviews), edge);
    const far = await caller('cluster-2', 'ratings', (address, port) =>
      address === '198.51.100.1' && port === 15443 ? gatewayHostname : undefined,
    );
    const across = await ask(far, 'http://reviews.bookinfo.svc.cluster-1.global:9080/far');
    assert.is(across.status, 200, across.body);
    assert.match(across.body, '/far');
    assert.is(await tunnelled(far, 'reviews.bookinfo.svc.cluster-1.global:7000', 'afar'), 'afar');
  });
}

test.run();
