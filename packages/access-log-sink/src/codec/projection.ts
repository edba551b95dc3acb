/** Selects the fields of an entry to decode: all others are skipped. */
import type { FieldName } from '../entry/access-log-fields.ts';

/** The messages within an entry that contain decoded fields. */
type Part = 'http' | 'tcp' | 'common' | 'tls' | 'peer' | 'request' | 'response' | 'connection';

/** Message and number of each field. `common` 4 and the parts themselves follow from their content. */
const FIELD_LOCATIONS: Readonly<Record<FieldName, readonly [Part, number]>> = {
  sampleRate: ['common', 1],
  downstreamRemoteAddress: ['common', 2],
  downstreamLocalAddress: ['common', 3],
  startTime: ['common', 5],
  timeToLastRxByte: ['common', 6],
  timeToFirstUpstreamTxByte: ['common', 7],
  timeToLastUpstreamTxByte: ['common', 8],
  timeToFirstUpstreamRxByte: ['common', 9],
  timeToLastUpstreamRxByte: ['common', 10],
  timeToFirstDownstreamTxByte: ['common', 11],
  timeToLastDownstreamTxByte: ['common', 12],
  upstreamRemoteAddress: ['common', 13],
  upstreamLocalAddress: ['common', 14],
  upstreamCluster: ['common', 15],
  responseFlags: ['common', 16],
  upstreamTransportFailureReason: ['common', 18],
  routeName: ['common', 19],
  downstreamDirectRemoteAddress: ['common', 20],
  filterState: ['common', 21],
  customTags: ['common', 22],
  duration: ['common', 23],
  upstreamRequestAttemptCount: ['common', 24],
  connectionTerminationDetails: ['common', 25],
  streamId: ['common', 26],
  intermediate: ['common', 27],
  downstreamTransportFailureReason: ['common', 28],
  downstreamWireBytesSent: ['common', 29],
  downstreamWireBytesReceived: ['common', 30],
  upstreamWireBytesSent: ['common', 31],
  upstreamWireBytesReceived: ['common', 32],
  accessLogType: ['common', 33],
  tlsVersion: ['tls', 1],
  tlsSni: ['tls', 3],
  localPrincipal: ['tls', 4],
  peerPrincipal: ['peer', 1],
  peerSubject: ['peer', 2],
  protocol: ['http', 2],
  method: ['request', 1],
  scheme: ['request', 2],
  authority: ['request', 3],
  port: ['request', 4],
  path: ['request', 5],
  userAgent: ['request', 6],
  referer: ['request', 7],
  forwardedFor: ['request', 8],
  requestId: ['request', 9],
  originalPath: ['request', 10],
  requestHeadersBytes: ['request', 11],
  requestBodyBytes: ['request', 12],
  requestHeaders: ['request', 13],
  status: ['response', 1],
  responseHeadersBytes: ['response', 2],
  responseBodyBytes: ['response', 3],
  responseHeaders: ['response', 4],
  responseTrailers: ['response', 5],
  responseCodeDetails: ['response', 6],
  receivedBytes: ['connection', 1],
  sentBytes: ['connection', 2],
};

/** Every field that can be requested. */
export const FIELD_NAMES: readonly FieldName[] = Object.keys(FIELD_LOCATIONS) as FieldName[];

/** All requestable field numbers are below this. */
const NUMBERS = 40;

/** By message: 1 at the requested field numbers. Numbers after the end are not requested. */
export type Projection = Readonly<Record<Part, Uint8Array>> & {
  /** The requested fields. */
  readonly fields: ReadonlySet<FieldName>;
};

/** Creates a projection on these fields. */
export function projectionOf(fields: Iterable<FieldName>): Projection {
  const requested = () => new Uint8Array(NUMBERS);
  const projection = {
    fields: new Set(fields),
    http: requested(),
    tcp: requested(),
    common: requested(),
    tls: requested(),
    peer: requested(),
    request: requested(),
    response: requested(),
    connection: requested(),
  };
  for (const field of projection.fields) {
    const [part, number] = FIELD_LOCATIONS[field];
    projection[part][number] = 1;
  }
  const { http, tcp, common, tls, peer, request, response, connection } = projection;
  if (peer.includes(1)) tls[5] = 1;
  if (tls.includes(1)) common[4] = 1;
  if (common.includes(1)) http[1] = tcp[1] = 1;
  if (connection.includes(1)) tcp[2] = 1;
  if (request.includes(1)) http[3] = 1;
  if (response.includes(1)) http[4] = 1;
  return projection;
}

export const ALL_FIELDS: Projection = projectionOf(FIELD_NAMES);
