/** An entry as an Envoy with names like Istio's writes it: about 450 bytes. */
import type { SomeFields } from '../../test/support/als-message.ts';

/** Entry `at` of a log: some callers, some paths, a unique id, one in twenty rejected. */
export function entryAt(at: number): SomeFields {
  const caller = `10.244.1.${at % 200}:${30_000 + ((at * 7) % 20_000)}`;
  const failed = at % 20 === 0;
  return {
    kind: 'http',
    startTime: 1_795_300_000_000 + at * 1.001,
    duration: 5.3,
    timeToLastRxByte: 0.061,
    timeToFirstUpstreamTxByte: 1.061,
    timeToLastUpstreamTxByte: 1.062,
    timeToFirstUpstreamRxByte: 5.061,
    timeToLastUpstreamRxByte: 5.161,
    timeToFirstDownstreamTxByte: 5.171,
    timeToLastDownstreamTxByte: 5.271,
    ...(failed && { responseFlags: ['UF'] }),
    downstreamRemoteAddress: caller,
    downstreamDirectRemoteAddress: caller,
    downstreamLocalAddress: '10.244.2.17:8080',
    upstreamRemoteAddress: '10.244.3.9:9080',
    upstreamLocalAddress: `10.244.2.17:${40_000 + (at % 1000)}`,
    upstreamCluster: 'outbound|9080||reviews.bookinfo.svc.cluster.local',
    routeName: 'default',
    streamId: id(at),
    upstreamRequestAttemptCount: 1,
    downstreamWireBytesSent: 612,
    downstreamWireBytesReceived: 321,
    upstreamWireBytesSent: 402,
    upstreamWireBytesReceived: 580,
    protocol: 'HTTP/1.1',
    method: 'GET',
    scheme: 'http',
    authority: 'reviews.bookinfo:9080',
    path: `/reviews/${at % 50}?user=${at % 7}`,
    userAgent: 'python-requests/2.31.0',
    forwardedFor: '10.244.1.5',
    requestId: id(at),
    requestHeadersBytes: 411,
    status: failed ? 503 : 200,
    responseCodeDetails: 'via_upstream',
    responseHeadersBytes: 180,
    responseBodyBytes: 379,
  };
}

function id(at: number): string {
  const hex = (Math.imul(at + 1, 2_654_435_761) >>> 0).toString(16).padStart(8, '0');
  return `${hex}-a1b2-4c3d-8e4f-${hex}${hex.slice(0, 4)}`;
}
