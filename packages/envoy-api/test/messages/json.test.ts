/** Messages to JSON and back, including extensions in them. */
import { assert, test } from '@meshrelay/testing';
import {
  cluster,
  create,
  httpUpstream,
  messageFromJson,
  messageToJson,
  pack,
  toBinary,
  unpack,
} from '../../src/mod.ts';

const upstream = 'envoy.extensions.upstreams.http.v3.HttpProtocolOptions';
const json = {
  name: 'a',
  connect_timeout: '0.250s',
  typed_extension_protocol_options: {
    [upstream]: {
      '@type': `type.googleapis.com/${upstream}`,
      explicit_http_config: { http2_protocol_options: {} },
    },
  },
};

test('keeps names, durations and extensions', () => {
  const message = messageFromJson(cluster.ClusterSchema, json);
  assert.is(message.name, 'a');
  assert.is(message.connectTimeout?.nanos, 250_000_000);
  const options = unpack(message.typedExtensionProtocolOptions[upstream], httpUpstream.HttpProtocolOptionsSchema);
  assert.is(options?.upstreamProtocolOptions.case, 'explicitHttpConfig');
  assert.equal(messageToJson(cluster.ClusterSchema, message), json);
});

test('packs what it builds', () => {
  const built = create(cluster.ClusterSchema, {
    name: 'a',
    connectTimeout: { seconds: 0n, nanos: 250_000_000 },
    typedExtensionProtocolOptions: {
      [upstream]: pack(httpUpstream.HttpProtocolOptionsSchema, {
        upstreamProtocolOptions: {
          case: 'explicitHttpConfig',
          value: { protocolConfig: { case: 'http2ProtocolOptions', value: {} } },
        },
      }),
    },
  });
  assert.equal(messageToJson(cluster.ClusterSchema, built), json);
});

test('equal JSON yields equal bytes, in any order of its keys', () => {
  const metadata = (keys: readonly string[]): Uint8Array =>
    toBinary(
      cluster.ClusterSchema,
      messageFromJson(cluster.ClusterSchema, {
        metadata: { filter_metadata: { x: Object.fromEntries(keys.map((key) => [key, key])) } },
      }),
    );
  assert.equal(metadata(['b', 'a', 'c']), metadata(['c', 'b', 'a']));
});

test('reports unknown fields of a message, and unknown types', () => {
  assert.throws(() => messageFromJson(cluster.ClusterSchema, { nmae: 'a' }), /nmae/);
  const unknown = { transport_socket: { name: 'x', typed_config: { '@type': 'type.googleapis.com/no.Such' } } };
  assert.throws(() => messageFromJson(cluster.ClusterSchema, unknown), /no\.Such/);
});

test.run();
