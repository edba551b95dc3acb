/** One port for all protocols: the protocol is detected, and no client uses up the capacity of others. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import * as grpc from '@grpc/grpc-js';
import { assert, eventually, test } from '@meshrelay/testing';
import { create, discovery } from '../../src/mod.ts';
import {
  adsService,
  Callers,
  type DataPlaneOptions,
  listenForProxies,
  Proxies,
  type ServedService,
} from '../../src/server/mod.ts';
import { accessLogService, aggregatedDiscoveryService } from '../../src/services/mod.ts';
import { XDS_TYPES, XdsCatalog } from '../../src/xds/mod.ts';
import { certificates, review } from '../support/control-plane.ts';
import { hash } from '../support/fixture.ts';
import { clusterOf, endpointsOf, listenerOf, routesOf } from '../support/shop.ts';

const own = await certificates();
const WITHIN = { deadline: 60_000 };

function counting(): { readonly service: ServedService; readonly seen: string[] } {
  const seen: string[] = [];
  const handlers: grpc.UntypedServiceImplementation = {
    streamAccessLogs: (call: grpc.ServerReadableStream<unknown, unknown>) => {
      call.on('data', () => seen.push(call.getPeer()));
      call.on('error', () => {});
    },
  };
  return { service: { definition: { ...accessLogService }, handlers }, seen };
}

const catalog = new XdsCatalog({ hash });
catalog.set('shop', {
  proxies: [
    { namespace: 'shop', serviceAccount: 'web', listeners: ['web'], clusters: [] },
    { namespace: 'shop', serviceAccount: 'bank', listeners: ['bank'], clusters: [] },
  ],
  resources: ['web', 'bank'].flatMap((name) => [
    listenerOf(name),
    routesOf(name, name),
    clusterOf(name),
    endpointsOf(name, 1),
  ]),
});

async function listening(limits: DataPlaneOptions['limits'] = {}) {
  const { service, seen } = counting();
  const refused: string[] = [];
  const errors: unknown[] = [];
  const proxies = new Proxies();
  const callers = new Callers({ review });
  const server = await listenForProxies({
    listen: { host: '127.0.0.1', port: 0 },
    plain: [service],
    http: (request, response) => response.end(`you asked for ${request.url}`),
    headerBytes: (metadata) => String(metadata.get('x-large')).length,
    secure: {
      services: [adsService({ catalog, callers, hash, proxies, onError: (error) => errors.push(error) })],
      certificate: () => own.certificate,
    },
    limits,
    onRefused: (reason) => refused.push(reason),
  });
  return { server, seen, refused, errors, proxies };
}

function overTls(port: number): grpc.Client {
  return new grpc.Client(`127.0.0.1:${port}`, grpc.credentials.createSsl(Buffer.from(own.rootPem)), {
    'grpc.ssl_target_name_override': 'agent.test',
  });
}

type Deltas = grpc.ClientDuplexStream<discovery.DeltaDiscoveryRequest, discovery.DeltaDiscoveryResponse>;

function deltas(client: grpc.Client, token?: string): Deltas {
  const { path, requestSerialize, responseDeserialize } = aggregatedDiscoveryService.deltaAggregatedResources;
  const metadata = new grpc.Metadata();
  if (token !== undefined) metadata.set('authorization', `Bearer ${token}`);
  return client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, metadata);
}

const codeOf = (call: Deltas): Promise<number> =>
  new Promise((resolve) => call.on('error', (error: grpc.ServiceError) => resolve(error.code)));

test('HTTP/1.1, plaintext gRPC and gRPC over TLS share a port', async () => {
  const { server, seen } = await listening();
  await using _ = server;
  const response = await fetch(`http://127.0.0.1:${server.port}/metrics`, { headers: { connection: 'close' } });
  assert.is(await response.text(), 'you asked for /metrics');

  const plain = new grpc.Client(`127.0.0.1:${server.port}`, grpc.credentials.createInsecure());
  const { path, requestSerialize, responseDeserialize } = accessLogService.streamAccessLogs;
  const logs = plain.makeClientStreamRequest(path, requestSerialize, responseDeserialize, () => {});
  logs.write({ $typeName: 'envoy.service.accesslog.v3.StreamAccessLogsMessage', logEntries: { case: undefined } });
  await eventually('the log arrives, by its source', () => seen[0]?.startsWith('127.0.0.1:'), WITHIN);
  logs.cancel();
  plain.close();

  const secure = overTls(server.port);
  const call = deltas(secure, 'token-of-web');
  call.on('error', () => {});
  call.write(create(discovery.DeltaDiscoveryRequestSchema, { typeUrl: XDS_TYPES.listener.typeUrl }));
  const [answer] = (await once(call, 'data')) as [discovery.DeltaDiscoveryResponse];
  assert.equal(
    answer.resources.map(({ name }) => name),
    ['web'],
  );
  call.cancel();
  secure.close();
});

test('a call with more than 16 KiB of headers is rejected', async () => {
  const { server } = await listening();
  await using _ = server;
  const client = overTls(server.port);
  const { path, requestSerialize, responseDeserialize } = aggregatedDiscoveryService.deltaAggregatedResources;
  const codes: number[] = [];
  for (const size of [1_000, 17_000]) {
    const metadata = new grpc.Metadata();
    metadata.set('x-large', 'y'.repeat(size));
    codes.push(await codeOf(client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, metadata)));
  }
  client.close();
  assert.equal(codes, [grpc.status.UNAUTHENTICATED, grpc.status.RESOURCE_EXHAUSTED]);
});

test('configuration is not served without TLS, and logs are not accepted over TLS', async () => {
  const { server } = await listening();
  await using _ = server;
  const plain = new grpc.Client(`127.0.0.1:${server.port}`, grpc.credentials.createInsecure());
  assert.is(await codeOf(deltas(plain, 'token-of-web')), grpc.status.UNIMPLEMENTED);
  plain.close();
});

test('T25: without a token a caller gets nothing; with one, names of another identity are answered as absent', async () => {
  const { server, proxies } = await listening();
  await using _ = server;
  const client = overTls(server.port);
  for (const token of [undefined, 'forged', '']) {
    assert.is(await codeOf(deltas(client, token)), grpc.status.UNAUTHENTICATED);
  }
  const call = deltas(client, 'token-of-web');
  call.on('error', () => {});
  const answers: discovery.DeltaDiscoveryResponse[] = [];
  call.on('data', (answer: discovery.DeltaDiscoveryResponse) => answers.push(answer));
  const node = {
    id: 'bank-1',
    cluster: 'bank',
    metadata: { workload: 'bank', namespace: 'shop', serviceAccount: 'bank' },
  };
  for (const type of ['cluster', 'listener', 'routeConfiguration', 'clusterLoadAssignment', 'secret'] as const) {
    const { typeUrl } = XDS_TYPES[type];
    call.write(
      create(discovery.DeltaDiscoveryRequestSchema, {
        node,
        typeUrl,
        resourceNamesSubscribe: ['bank', 'web', 'none', '*'],
      }),
    );
  }
  await eventually('all are answered', () => new Set(answers.map(({ typeUrl }) => typeUrl)).size === 5, WITHIN);
  const given = answers.flatMap(({ resources }) => resources.map(({ name }) => name));
  assert.equal([...new Set(given)], ['web']);
  for (const { removedResources } of answers) {
    assert.is(removedResources.includes('bank'), removedResources.includes('none'), 'as what does not exist');
  }
  assert.equal(
    proxies.states().map(({ serviceAccount, node: said }) => [serviceAccount, said]),
    [['web', 'bank-1']],
  );
  call.cancel();
  client.close();
  await eventually('it is forgotten', () => proxies.size === 0, WITHIN);
});

test('T11: one source can exhaust only its own limit, and frees it again', async () => {
  const { server, refused } = await listening({ perSource: 3 });
  await using _ = server;
  const open = async (): Promise<Socket> => {
    const socket = connect({ port: server.port, host: '127.0.0.1' });
    socket.on('error', () => {}).resume();
    await once(socket, 'connect');
    return socket;
  };
  const held = [await open(), await open(), await open()];
  await eventually('they are in', () => server.connections === 3, WITHIN);
  const more = await open();
  await once(more, 'close');
  assert.equal(refused, ['source']);
  for (const socket of held) socket.destroy();
  await eventually('the room is given back', () => server.connections === 0, WITHIN);
  const response = await fetch(`http://127.0.0.1:${server.port}/x`, { headers: { connection: 'close' } });
  assert.is(response.status, 200);
});

test('T11: silent connections, partial prefaces and partial handshakes are closed', async () => {
  const { server, refused } = await listening({ handshake: 50 });
  await using _ = server;
  for (const said of ['', 'PRI * HT', '\x16\x03\x01']) {
    const socket = connect({ port: server.port, host: '127.0.0.1' });
    socket.on('error', () => {}).resume();
    socket.write(said);
    await once(socket, 'close');
  }
  assert.equal(refused, ['handshake-timeout', 'handshake-timeout', 'handshake-timeout']);
  await eventually('nothing is left of them', () => server.connections === 0, WITHIN);
});

test('tokens are reviewed once, with limited concurrency, and stored as hashes', async () => {
  let requested = 0;
  let now = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const callers = new Callers({
    review: async (token) => {
      requested += 1;
      await promise;
      return review(token);
    },
    now: () => now,
    limits: { reviews: 2, cached: 100, refused: 10 },
  });
  const first = [callers.of('token-of-web'), callers.of('token-of-web'), callers.of('forged')];
  const third = await callers.of('token-of-bank').catch((error: Error) => error.name);
  assert.is(third, 'CallersBusyError');
  resolve();
  assert.equal(
    (await Promise.all(first)).map((account) => account?.serviceAccount),
    ['web', 'web', undefined],
  );
  assert.is(requested, 2);
  now = 50;
  await Promise.all([callers.of('token-of-web'), callers.of('forged')]);
  assert.is(requested, 3, 'what was refused is asked about again sooner');
  now = 101;
  await callers.of('token-of-web');
  assert.is(requested, 4);
});

test.run();
