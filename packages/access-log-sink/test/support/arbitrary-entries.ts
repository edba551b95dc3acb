/** Random entries, each with some of the fields. */
import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import type { AccessLogFields } from '../../src/entry/access-log-fields.ts';
import { FLAGS, METHODS, PROTOCOLS, type SomeFields, TLS, TYPES } from './als-message.ts';

const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
const count = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }));
const small = fc.integer({ min: 1, max: 0xffffffff });
const milliseconds = fc.integer({ min: 0, max: 86_400_000_000 }).map((micros) => micros / 1000);
const address = fc.oneof(
  fc.tuple(fc.ipV4(), fc.nat(65_535)).map(([host, port]) => `${host}:${port}`),
  fc.tuple(fc.ipV6(), fc.nat(65_535)).map(([host, port]) => `[${host}]:${port}`),
);
const texts = fc.dictionary(
  word.filter((name) => name !== '__proto__'),
  word,
  { minKeys: 1, maxKeys: 4, noNullPrototype: true },
);
const oneOf = (words: readonly string[]) => fc.constantFrom(...words.filter((each) => each !== ''));
const base64 = fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString('base64'));
const flags = fc
  .subarray(Object.keys(FLAGS), { minLength: 1 })
  .map((words) => words.toSorted((a, b) => (FLAGS[a] as number) - (FLAGS[b] as number)));

const common = {
  startTime: fc.integer({ min: 0, max: 4e15 }).map((micros) => micros / 1000),
  duration: milliseconds,
  timeToLastRxByte: milliseconds,
  timeToFirstUpstreamTxByte: milliseconds,
  timeToLastUpstreamTxByte: milliseconds,
  timeToFirstUpstreamRxByte: milliseconds,
  timeToLastUpstreamRxByte: milliseconds,
  timeToFirstDownstreamTxByte: milliseconds,
  timeToLastDownstreamTxByte: milliseconds,
  sampleRate: fc.double({ min: 0.001, max: 1, noNaN: true }),
  accessLogType: oneOf(TYPES),
  intermediate: fc.constant(true),
  responseFlags: flags,
  downstreamRemoteAddress: address,
  downstreamDirectRemoteAddress: address,
  downstreamLocalAddress: address,
  upstreamRemoteAddress: address,
  upstreamLocalAddress: address,
  upstreamCluster: word,
  routeName: word,
  streamId: word,
  upstreamRequestAttemptCount: small,
  upstreamTransportFailureReason: word,
  downstreamTransportFailureReason: word,
  connectionTerminationDetails: word,
  downstreamWireBytesSent: count,
  downstreamWireBytesReceived: count,
  upstreamWireBytesSent: count,
  upstreamWireBytesReceived: count,
  tlsVersion: oneOf(TLS),
  tlsSni: word,
  peerPrincipal: word,
  peerSubject: word,
  localPrincipal: word,
  customTags: texts,
  filterState: fc.dictionary(
    word.filter((name) => name !== '__proto__'),
    fc.record({ typeUrl: word, value: base64 }),
    {
      minKeys: 1,
      maxKeys: 2,
      noNullPrototype: true,
    },
  ),
} satisfies Partial<Record<keyof AccessLogFields, fc.Arbitrary<unknown>>>;

const http = fc.record(
  {
    ...common,
    kind: fc.constant('http' as const),
    protocol: oneOf(PROTOCOLS),
    method: oneOf(METHODS),
    scheme: word,
    authority: word,
    port: small,
    path: word,
    originalPath: word,
    userAgent: word,
    referer: word,
    forwardedFor: word,
    requestId: word,
    requestHeadersBytes: count,
    requestBodyBytes: count,
    requestHeaders: texts,
    status: fc.integer({ min: 0, max: 599 }),
    responseCodeDetails: word,
    responseHeadersBytes: count,
    responseBodyBytes: count,
    responseHeaders: texts,
    responseTrailers: texts,
  },
  { requiredKeys: ['kind'] },
);

const tcp = fc.record(
  { ...common, kind: fc.constant('tcp' as const), receivedBytes: count, sentBytes: count },
  { requiredKeys: ['kind'] },
);

/** Entries of both kinds for one message. */
export const entries: fc.Arbitrary<SomeFields[]> = fc.array(fc.oneof(http, tcp), { maxLength: 6 }) as fc.Arbitrary<
  SomeFields[]
>;
