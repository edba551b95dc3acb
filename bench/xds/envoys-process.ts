/**
 * Many Envoys as a configuration server sees them: delta ADS over TLS, each on its own connection. Ends when its parent
 * does.
 */
import { Buffer } from 'node:buffer';
import process from 'node:process';
import { type ChannelCredentials, Client, type ClientDuplexStream, credentials, Metadata } from '@grpc/grpc-js';
import { create, discovery } from '@meshrelay/envoy-api';
import { aggregatedDiscoveryService } from '@meshrelay/envoy-api/services';
import { XDS_TYPES } from '@meshrelay/envoy-api/xds';
import { pass } from '../bare-grpc.ts';
import { nameOf } from './configuration.ts';
import { BARE_METHOD, type EnvoyOrder, type EnvoysBegin } from './orders.ts';
import { readResponse } from './read-response.ts';

const { DeltaDiscoveryRequestSchema } = discovery;
type Request = discovery.DeltaDiscoveryRequest;

let tls: ChannelCredentials;
let messages = 0;
let resources = 0;
let expected: { readonly messages: number; readonly reached: () => void } | undefined;

/** Delayed acknowledgements. */
const held: (() => void)[] = [];
let hold = false;

function came(count: number, acknowledge: () => void): void {
  messages++;
  resources += count;
  if (hold) held.push(acknowledge);
  else acknowledge();
  if (expected !== undefined && messages >= expected.messages) expected.reached();
}

function client(port: number): Client {
  return new Client(`127.0.0.1:${port}`, tls, {
    'grpc.use_local_subchannel_pool': 1,
    'grpc.max_receive_message_length': 64 * 1024 * 1024,
  });
}

/** A name that no configuration has: its absence is the last part of a response. */
const NO_READER = 'outbound|1||missing.shop.svc.cluster.local';

/** Opens one Envoy's stream; resolves when it has the endpoints of all clusters, and no other message is in flight. */
function envoy(port: number, at: number, clusters: number): Promise<void> {
  const metadata = new Metadata();
  metadata.set('authorization', 'Bearer token-of-web');
  const { deltaAggregatedResources: method } = aggregatedDiscoveryService;
  // Responses are read as little as possible, which leaves the CPU to the server.
  const call: ClientDuplexStream<Request, Buffer> = client(port).makeBidiStreamRequest(
    method.path,
    method.requestSerialize,
    pass,
    metadata,
  );
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const ask = (typeUrl: string, names: readonly string[] = []): void => {
    const request = create(DeltaDiscoveryRequestSchema, { typeUrl, resourceNamesSubscribe: [...names] });
    call.write(request);
  };
  let endpoints = 0;
  call.on('error', reject);
  call.on('data', (bytes: Buffer) => {
    const { typeUrl, nonce: responseNonce, resources: count, removed } = readResponse(bytes);
    came(count, () => call.write(create(DeltaDiscoveryRequestSchema, { typeUrl, responseNonce })));
    if (typeUrl === XDS_TYPES.cluster.typeUrl) {
      ask(XDS_TYPES.clusterLoadAssignment.typeUrl, [
        ...Array.from({ length: clusters }, (_, service) => nameOf(service)),
        NO_READER,
      ]);
      return;
    }
    endpoints += count;
    if (removed === 0) return;
    if (endpoints >= clusters) resolve();
    else reject(new Error(`of ${clusters} clusters ${endpoints} have endpoints`));
  });
  const node = { id: `web-${at}`, cluster: 'web' };
  call.write(create(DeltaDiscoveryRequestSchema, { typeUrl: XDS_TYPES.cluster.typeUrl, node }));
  return promise;
}

/** Has the length of an Envoy's acknowledgement. */
const ACKNOWLEDGEMENT = aggregatedDiscoveryService.deltaAggregatedResources.requestSerialize(
  create(DeltaDiscoveryRequestSchema, { typeUrl: XDS_TYPES.clusterLoadAssignment.typeUrl, responseNonce: '100' }),
);

async function bare(port: number): Promise<void> {
  const call = client(port).makeBidiStreamRequest(BARE_METHOD, pass, pass);
  const open = Promise.withResolvers<void>();
  call.on('error', open.reject);
  call.once('metadata', () => open.resolve());
  call.on('data', () => came(0, () => call.write(ACKNOWLEDGEMENT)));
  call.write(Buffer.from('hello'));
  await open.promise;
}

async function follow(order: EnvoyOrder): Promise<void> {
  if (order.order === 'receive') {
    const { messages: max } = order;
    await new Promise<void>((resolve) => {
      expected = { messages: max, reached: resolve };
      if (messages >= max) resolve();
    });
    expected = undefined;
    return;
  }
  if (order.order === 'acknowledge') {
    hold = order.when === 'later';
    for (const acknowledge of held.splice(0)) acknowledge();
    return;
  }
  for (let at = 0; at < order.envoys; at++) {
    await (order.order === 'bare' ? bare(order.port) : envoy(order.port, at, order.clusters));
  }
}

process.once('disconnect', () => process.exit(0));
process.once('message', ({ roots }: EnvoysBegin) => {
  tls = credentials.createSsl(Buffer.from(roots));
  process.on('message', async (order: EnvoyOrder) => {
    await follow(order);
    process.send?.({ messages, resources });
    [messages, resources] = [0, 0];
  });
});
