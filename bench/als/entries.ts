/**
 * Access log messages as an Envoy with Istio-like names sends them, encoded by the generated code of Envoy's own
 * protos.
 */
import { Buffer } from 'node:buffer';
import { accessLogData, accessLogService, core, create, toBinary } from '@meshrelay/envoy-api';

const { SocketAddress_Protocol } = core;

/**
 * The given number of messages, each with the given number of entries; none includes the identifier that begins a
 * stream.
 */
export function logMessages(messages: number, entries: number): Buffer[] {
  return Array.from({ length: messages }, (_, message) =>
    encoded({
      logEntries: {
        case: 'httpLogs',
        value: { logEntry: Array.from({ length: entries }, (_, entry) => entryAt(message * entries + entry)) },
      },
    }),
  );
}

/** The first message of a stream. */
export function identifier(): Buffer {
  return encoded({
    identifier: { node: { id: 'sidecar~10.244.2.17~reviews', cluster: 'reviews' }, logName: 'inbound' },
  });
}

type Init = Parameters<typeof create<typeof accessLogService.StreamAccessLogsMessageSchema>>[1];

function encoded(init: NonNullable<Init>): Buffer {
  const schema = accessLogService.StreamAccessLogsMessageSchema;
  const bytes = toBinary(schema, create(schema, init));
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** About 455 bytes in 36 fields: some callers, some paths, a unique id, one in twenty denied. */
function entryAt(at: number) {
  const caller = address(`10.244.1.${at % 200}`, 30_000 + ((at * 7) % 20_000));
  const failed = at % 20 === 0;
  return {
    commonProperties: {
      startTime: timestamp(1_795_300_000_000 + at),
      duration: microseconds(5_300),
      timeToLastRxByte: microseconds(61),
      timeToFirstUpstreamTxByte: microseconds(1_061),
      timeToLastUpstreamTxByte: microseconds(1_062),
      timeToFirstUpstreamRxByte: microseconds(5_061),
      timeToLastUpstreamRxByte: microseconds(5_161),
      timeToFirstDownstreamTxByte: microseconds(5_171),
      timeToLastDownstreamTxByte: microseconds(5_271),
      ...(failed && { responseFlags: { upstreamConnectionFailure: true } }),
      downstreamRemoteAddress: caller,
      downstreamDirectRemoteAddress: caller,
      downstreamLocalAddress: address('10.244.2.17', 8_080),
      upstreamRemoteAddress: address('10.244.3.9', 9_080),
      upstreamLocalAddress: address('10.244.2.17', 40_000 + (at % 1_000)),
      upstreamCluster: 'outbound|9080||reviews.bookinfo.svc.cluster.local',
      routeName: 'default',
      streamId: id(at),
      upstreamRequestAttemptCount: 1,
      downstreamWireBytesSent: 612n,
      downstreamWireBytesReceived: 321n,
      upstreamWireBytesSent: 402n,
      upstreamWireBytesReceived: 580n,
    },
    protocolVersion: accessLogData.HTTPAccessLogEntry_HTTPVersion.HTTP11,
    request: {
      requestMethod: core.RequestMethod.GET,
      scheme: 'http',
      authority: 'reviews.bookinfo:9080',
      path: `/reviews/${at % 50}?user=${at % 7}`,
      userAgent: 'python-requests/2.31.0',
      forwardedFor: '10.244.1.5',
      requestId: id(at),
      requestHeadersBytes: 411n,
    },
    response: {
      responseCode: failed ? 503 : 200,
      responseCodeDetails: 'via_upstream',
      responseHeadersBytes: 180n,
      responseBodyBytes: 379n,
    },
  };
}

function address(host: string, port: number) {
  return {
    address: {
      case: 'socketAddress' as const,
      value: {
        protocol: SocketAddress_Protocol.TCP,
        address: host,
        portSpecifier: { case: 'portValue' as const, value: port },
      },
    },
  };
}

function timestamp(milliseconds: number) {
  const seconds = Math.floor(milliseconds / 1_000);
  return { seconds: BigInt(seconds), nanos: (milliseconds - seconds * 1_000) * 1_000_000 };
}

function microseconds(value: number) {
  return { nanos: value * 1_000 };
}

function id(at: number): string {
  const hex = (Math.imul(at + 1, 2_654_435_761) >>> 0).toString(16).padStart(8, '0');
  return `${hex}-a1b2-4c3d-8e4f-${hex}${hex.slice(0, 4)}`;
}
