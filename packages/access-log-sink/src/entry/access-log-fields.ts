/** What one entry of Envoy's access log says, field by field. */

/** Texts by name: headers (names in lower case, as Envoy writes them), trailers, tags. Without a prototype: any name is just a name. */
export type Texts = Readonly<Record<string, string>>;

/** An object of Envoy's filter state, as bytes of the message it names. */
export interface FilterStateObject {
  /** The type of the message, as in `Any`: `type.googleapis.com/google.protobuf.StringValue`. */
  readonly typeUrl: string;
  /** Its bytes in base64. */
  readonly value: string;
}

/**
 * The fields of an entry. Absent are those that Envoy did not write, which is also how it writes zero and the empty text, and those that were not asked
 * for. Durations are milliseconds from the start, sizes bytes, addresses `IP:PORT`, `[IPv6]:PORT`, a path of a socket, or
 * `envoy://LISTENER/ENDPOINT`.
 */
export interface AccessLogFields {
  /** One HTTP exchange, or one TCP connection. */
  readonly kind: 'http' | 'tcp';
  /** Milliseconds since 1970; microseconds after the point. */
  readonly startTime: number | undefined;
  /** Until the last byte went to the caller. */
  readonly duration: number | undefined;
  readonly timeToLastRxByte: number | undefined;
  readonly timeToFirstUpstreamTxByte: number | undefined;
  readonly timeToLastUpstreamTxByte: number | undefined;
  readonly timeToFirstUpstreamRxByte: number | undefined;
  readonly timeToLastUpstreamRxByte: number | undefined;
  readonly timeToFirstDownstreamTxByte: number | undefined;
  readonly timeToLastDownstreamTxByte: number | undefined;
  /** The share of requests that are logged, above 0 to 1. */
  readonly sampleRate: number | undefined;
  /** Why an entry is written, in Envoy's word: `DownstreamEnd`, `TcpPeriodic`, …; a number where Envoy is newer than we. */
  readonly accessLogType: string | undefined;
  /** True where more of the same exchange follows; its numbers are repeated there. */
  readonly intermediate: boolean | undefined;
  /** Envoy's short words for what went wrong: `UH`, `UF`, `NR`, …; absent where nothing did. */
  readonly responseFlags: readonly string[] | undefined;
  readonly downstreamRemoteAddress: string | undefined;
  /** The address of the connection, where the one above was taken from a header. */
  readonly downstreamDirectRemoteAddress: string | undefined;
  readonly downstreamLocalAddress: string | undefined;
  readonly upstreamRemoteAddress: string | undefined;
  readonly upstreamLocalAddress: string | undefined;
  readonly upstreamCluster: string | undefined;
  readonly routeName: string | undefined;
  readonly streamId: string | undefined;
  readonly upstreamRequestAttemptCount: number | undefined;
  readonly upstreamTransportFailureReason: string | undefined;
  readonly downstreamTransportFailureReason: string | undefined;
  readonly connectionTerminationDetails: string | undefined;
  readonly downstreamWireBytesSent: number | undefined;
  readonly downstreamWireBytesReceived: number | undefined;
  readonly upstreamWireBytesSent: number | undefined;
  readonly upstreamWireBytesReceived: number | undefined;
  /** `TLSv1.3`, …; absent without TLS on the caller's side. */
  readonly tlsVersion: string | undefined;
  readonly tlsSni: string | undefined;
  /** The first URI in the certificate the caller showed: its SPIFFE id in a mesh. */
  readonly peerPrincipal: string | undefined;
  /** The subject of that certificate. */
  readonly peerSubject: string | undefined;
  /** The first URI in the certificate that was shown to the caller. */
  readonly localPrincipal: string | undefined;
  readonly customTags: Texts | undefined;
  readonly filterState: Readonly<Record<string, FilterStateObject>> | undefined;
  /** `HTTP/1.1`, … */
  readonly protocol: string | undefined;
  readonly method: string | undefined;
  readonly scheme: string | undefined;
  readonly authority: string | undefined;
  readonly port: number | undefined;
  /** With its query. */
  readonly path: string | undefined;
  /** Before it was rewritten. */
  readonly originalPath: string | undefined;
  readonly userAgent: string | undefined;
  readonly referer: string | undefined;
  readonly forwardedFor: string | undefined;
  readonly requestId: string | undefined;
  readonly requestHeadersBytes: number | undefined;
  readonly requestBodyBytes: number | undefined;
  readonly requestHeaders: Texts | undefined;
  /** The status of the response; 0 where none was sent. */
  readonly status: number | undefined;
  readonly responseCodeDetails: string | undefined;
  readonly responseHeadersBytes: number | undefined;
  readonly responseBodyBytes: number | undefined;
  readonly responseHeaders: Texts | undefined;
  readonly responseTrailers: Texts | undefined;
  /** TCP: bytes from the caller, and to it. */
  readonly receivedBytes: number | undefined;
  readonly sentBytes: number | undefined;
}

/** A field that can be asked for. */
export type FieldName = Exclude<keyof AccessLogFields, 'kind'>;

/** The same while it is being read. */
export type WritableFields = { -readonly [F in keyof AccessLogFields]: AccessLogFields[F] };

/** An entry of which nothing is known yet. All of them have one shape, so that the code that fills and reads them is compiled once. */
export function blankFields(kind: 'http' | 'tcp'): WritableFields {
  return {
    kind,
    startTime: undefined,
    duration: undefined,
    timeToLastRxByte: undefined,
    timeToFirstUpstreamTxByte: undefined,
    timeToLastUpstreamTxByte: undefined,
    timeToFirstUpstreamRxByte: undefined,
    timeToLastUpstreamRxByte: undefined,
    timeToFirstDownstreamTxByte: undefined,
    timeToLastDownstreamTxByte: undefined,
    sampleRate: undefined,
    accessLogType: undefined,
    intermediate: undefined,
    responseFlags: undefined,
    downstreamRemoteAddress: undefined,
    downstreamDirectRemoteAddress: undefined,
    downstreamLocalAddress: undefined,
    upstreamRemoteAddress: undefined,
    upstreamLocalAddress: undefined,
    upstreamCluster: undefined,
    routeName: undefined,
    streamId: undefined,
    upstreamRequestAttemptCount: undefined,
    upstreamTransportFailureReason: undefined,
    downstreamTransportFailureReason: undefined,
    connectionTerminationDetails: undefined,
    downstreamWireBytesSent: undefined,
    downstreamWireBytesReceived: undefined,
    upstreamWireBytesSent: undefined,
    upstreamWireBytesReceived: undefined,
    tlsVersion: undefined,
    tlsSni: undefined,
    peerPrincipal: undefined,
    peerSubject: undefined,
    localPrincipal: undefined,
    customTags: undefined,
    filterState: undefined,
    protocol: undefined,
    method: undefined,
    scheme: undefined,
    authority: undefined,
    port: undefined,
    path: undefined,
    originalPath: undefined,
    userAgent: undefined,
    referer: undefined,
    forwardedFor: undefined,
    requestId: undefined,
    requestHeadersBytes: undefined,
    requestBodyBytes: undefined,
    requestHeaders: undefined,
    status: undefined,
    responseCodeDetails: undefined,
    responseHeadersBytes: undefined,
    responseBodyBytes: undefined,
    responseHeaders: undefined,
    responseTrailers: undefined,
    receivedBytes: undefined,
    sentBytes: undefined,
  };
}
