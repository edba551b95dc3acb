/** Requests decode as with the general decoder: acknowledgements and all others, corrupt or not. */
import { Buffer } from 'node:buffer';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import {
  type DeltaDiscoveryRequest,
  DeltaDiscoveryRequestSchema,
} from '../../src/gen/envoy/service/discovery/v3/discovery_pb.ts';
import { deltaRequestOf } from '../../src/services/delta-request.ts';
import { aggregatedDiscoveryService } from '../../src/services/services.ts';

/** The message, or that it is unreadable. */
function readBy(decode: (bytes: Buffer) => DeltaDiscoveryRequest, bytes: Buffer): unknown {
  try {
    return decode(bytes);
  } catch {
    return 'refused';
  }
}

function assertSame(bytes: Uint8Array): void {
  const all = Buffer.from(bytes);
  const general = readBy((each) => fromBinary(DeltaDiscoveryRequestSchema, each), all);
  assert.equal(readBy(deltaRequestOf, all), general, all.toString('hex'));
}

const text = fc.oneof(
  fc.constantFrom(
    '',
    '1',
    'type.googleapis.com/envoy.config.cluster.v3.Cluster',
    'é',
    'x'.repeat(127),
    'x'.repeat(128),
  ),
  fc.string(),
);
const acknowledgement = fc.record({ typeUrl: text, responseNonce: text });
const request = fc.record({
  typeUrl: text,
  responseNonce: text,
  resourceNamesSubscribe: fc.array(text, { maxLength: 3 }),
  resourceNamesUnsubscribe: fc.array(text, { maxLength: 2 }),
  initialResourceVersions: fc.dictionary(fc.string(), text, { maxKeys: 2 }),
  node: fc.option(fc.record({ id: text, cluster: text }), { nil: undefined }),
  errorDetail: fc.option(fc.record({ code: fc.nat(20), message: text }), { nil: undefined }),
});
const encoded = fc
  .oneof(acknowledgement, request)
  .map((init) => toBinary(DeltaDiscoveryRequestSchema, create(DeltaDiscoveryRequestSchema, init as never)));

test('any requests, acknowledgements and rejections', () => {
  fc.assert(fc.property(encoded, assertSame), { numRuns: scaledRuns(500) });
});

test('corrupt: truncated, with changed bytes, two in a row', () => {
  const corruption = fc.record({ cut: fc.nat(300), at: fc.nat(300), byte: fc.nat(255), twice: fc.boolean() });
  fc.assert(
    fc.property(encoded, corruption, (bytes, { cut, at, byte, twice }) => {
      const changed = Uint8Array.from(twice ? [...bytes, ...bytes] : bytes);
      if (at < changed.length) changed[at] = byte;
      assertSame(changed);
      assertSame(changed.subarray(0, cut));
    }),
    { numRuns: scaledRuns(1000) },
  );
});

test('any bytes', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 40 }), assertSame), { numRuns: scaledRuns(1000) });
});

test('texts that end with the message, or exceed it', () => {
  for (const bytes of [
    [],
    [0x12],
    [0x12, 0],
    [0x12, 1],
    [0x12, 1, 0x41],
    [0x32, 2, 0x31],
    [0x32, 0x80],
    [0x32, 0x81, 0, 0x31],
  ])
    assertSame(Uint8Array.from(bytes));
});

test('the service uses this decoder', () => {
  assert.is(aggregatedDiscoveryService.deltaAggregatedResources.requestDeserialize, deltaRequestOf);
});

test.run();
