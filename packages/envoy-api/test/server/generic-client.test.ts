/**
 * A generic client also gets its configuration. Like that of go-control-plane it requests one type without names and
 * sends its node with every request. It accepts or rejects a response as a whole, and quotes the last accepted version.
 */
import * as grpc from '@grpc/grpc-js';
import { assert, eventually, test } from '@meshrelay/testing';
import { cluster, create, discovery, fromBinary } from '../../src/mod.ts';
import { aggregatedDiscoveryService } from '../../src/services/mod.ts';
import { XDS_TYPES } from '../../src/xds/mod.ts';
import { ControlPlane, certificates } from '../support/control-plane.ts';
import { clusterOf, endpointsOf } from '../support/shop.ts';

const WITHIN = { deadline: 90_000 };
const { typeUrl } = XDS_TYPES.cluster;
const own = await certificates();

class GenericClient implements Disposable {
  readonly #client: grpc.Client;
  readonly #call: grpc.ClientDuplexStream<discovery.DiscoveryRequest, discovery.DiscoveryResponse>;
  readonly #received: discovery.DiscoveryResponse[] = [];
  #last: discovery.DiscoveryResponse | undefined;
  #accepted = '';

  constructor(port: number) {
    const roots = grpc.credentials.createSsl(Buffer.from(own.rootPem));
    this.#client = new grpc.Client(`127.0.0.1:${port}`, roots, { 'grpc.ssl_target_name_override': 'agent.test' });
    const { path, requestSerialize, responseDeserialize } = aggregatedDiscoveryService.streamAggregatedResources;
    const metadata = new grpc.Metadata();
    metadata.set('authorization', 'Bearer token-of-web');
    this.#call = this.#client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, metadata);
    this.#call.on('error', () => {});
    this.#call.on('data', (response: discovery.DiscoveryResponse) => this.#received.push(response));
    this.ack();
  }

  /** The next response: its clusters by name, with a field that distinguishes their versions. */
  async fetch(): Promise<Readonly<Record<string, string>>> {
    const response = await eventually('a response', () => this.#received.shift(), WITHIN);
    this.#last = response;
    const clusters = response.resources.map(({ value }) => fromBinary(cluster.ClusterSchema, value));
    return Object.fromEntries(clusters.map(({ name, altStatName }) => [name, altStatName]));
  }

  ack(): void {
    this.#accepted = this.#last?.versionInfo ?? '';
    this.#send({});
  }

  nack(message: string): void {
    this.#send({ errorDetail: { code: 0, message } });
  }

  [Symbol.dispose](): void {
    this.#call.cancel();
    this.#client.close();
  }

  #send(more: { readonly errorDetail?: { readonly code: number; readonly message: string } }): void {
    const node = { id: 'generic' };
    const responseNonce = this.#last?.nonce ?? '';
    this.#call.write(
      create(discovery.DiscoveryRequestSchema, { node, typeUrl, versionInfo: this.#accepted, responseNonce, ...more }),
    );
  }
}

test('it gets everything, then changes; a response that it rejects as a whole is replaced by the accepted versions', async () => {
  await using plane = new ControlPlane(own);
  const serve = (...clusters: ReadonlyArray<readonly [name: string, mark: string]>): void => {
    const names = clusters.map(([name]) => name);
    plane.catalog.set('web', {
      proxies: [{ namespace: 'shop', serviceAccount: 'web', listeners: [], clusters: names }],
      resources: clusters.flatMap(([name, mark]) => [clusterOf(name, mark), endpointsOf(name, 1)]),
    });
  };
  serve(['one', 'a'], ['two', 'a'], ['three', 'a']);
  await plane.start();
  using client = new GenericClient(plane.port);
  assert.equal(await client.fetch(), { one: 'a', two: 'a', three: 'a' });
  client.ack();

  serve(['two', 'a'], ['four', 'a']);
  // Additions come before removals.
  assert.equal(await client.fetch(), { one: 'a', two: 'a', three: 'a', four: 'a' });
  client.ack();
  assert.equal(await client.fetch(), { two: 'a', four: 'a' });
  client.ack();

  serve(['two', 'b'], ['four', 'a']);
  assert.equal(await client.fetch(), { two: 'b', four: 'a' });
  client.nack('I do not like it');
  await eventually('the NACK is reported', () => plane.rejections.length === 1, WITHIN);
  assert.equal(
    [plane.rejections[0]?.message, [...(plane.rejections[0]?.versions.keys() ?? [])]],
    ['I do not like it', ['two']],
  );
  // The same response is not repeated: the next one differs, with accepted versions instead of rejected ones.
  serve(['two', 'b'], ['four', 'b']);
  assert.equal(await client.fetch(), { two: 'a', four: 'b' });
  client.ack();

  serve(['two', 'c'], ['four', 'b']);
  assert.equal(await client.fetch(), { two: 'c', four: 'b' });
  client.ack();
  await eventually('nothing is refused any more', () => plane.proxies.states()[0]?.rejections.length === 0, WITHIN);
  assert.equal(plane.errors, []);
});

test.run();
