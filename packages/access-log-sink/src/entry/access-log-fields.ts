/** Fields of one entry of Envoy's access log. */

/**
 * Texts by name: headers (names in lower case, as Envoy writes them), trailers, tags. Without a prototype, so any name
 * is safe.
 */
export type Texts = Readonly<Record<string, string>>;

/** An object of Envoy's filter state, as serialized bytes of its message type. */
export interface FilterStateObject {
  /** The type of the message, as in `Any`: `type.googleapis.com/google.protobuf.StringValue`. */
  readonly typeUrl: string;
  /** Its bytes in base64. */
  readonly value: string;
}

/**
 * The fields of an entry. Fields that Envoy did not write are absent, which includes zero and the empty text, and so
 * are those not requested. Durations are milliseconds from the start, sizes bytes, addresses `IP:PORT`, `[IPv6]:PORT`,
 * a path of a socket, or `envoy://LISTENER/ENDPOINT`.
 */
export interface AccessLogFields {
  /** One HTTP exchange, or one TCP connection. */
  readonly kind: 'http' | 'tcp';
  /** Milliseconds since 1970, with microseconds as decimals. */
  readonly startTime: number | undefined;
  /** Until the last byte was sent to the caller. */
  readonly duration: number | undefined;
  readonly timeToLastRxByte: number | undefined;
  readonly timeToFirstUpstreamTxByte: number | undefined;
  readonly timeToLastUpstreamTxByte: number | undefined;
  readonly timeToFirstUpstreamRxByte: number | undefined;
  readonly timeToLastUpstreamRxByte: number | undefined;
  readonly timeToFirstDownstreamTxByte: number | undefined;
  readonly timeToLastDownstreamTxByte: number | undefined;
  /** Fraction of requests that are logged, above 0 to 1. */
  readonly sampleRate: number | undefined;
  /**
   * Why the entry was written, in Envoy's terms: `DownstreamEnd`, `TcpPeriodic`, …; a number if this list does not know
   * it.
   */
  readonly accessLogType: string | undefined;
  /** True if a later entry of the same exchange follows and repeats its numbers. */
  readonly intermediate: boolean | undefined;
  /** Envoy's short flags for errors: `UH`, `UF`, `NR`, …; absent without an error. */
  readonly responseFlags: readonly string[] | undefined;
  readonly downstreamRemoteAddress: string | undefined;
  /** Address of the connection, if the one above was taken from a header. */
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
  /** First URI in the caller's certificate: its SPIFFE id in a mesh. */
  readonly peerPrincipal: string | undefined;
  /** Subject of that certificate. */
  readonly peerSubject: string | undefined;
  /** First URI in the certificate presented to the caller. */
  readonly localPrincipal: string | undefined;
  readonly customTags: Texts | undefined;
  readonly filterState: Readonly<Record<string, FilterStateObject>> | undefined;
  /** `HTTP/1.1`, … */
  readonly protocol: string | undefined;
  readonly method: string | undefined;
  readonly scheme: string | undefined;
  readonly authority: string | undefined;
  readonly port: number | undefined;
  /** Includes the query. */
  readonly path: string | undefined;
  /** Before Envoy rewrote it. */
  readonly originalPath: string | undefined;
  readonly userAgent: string | undefined;
  readonly referer: string | undefined;
  readonly forwardedFor: string | undefined;
  readonly requestId: string | undefined;
  readonly requestHeadersBytes: number | undefined;
  readonly requestBodyBytes: number | undefined;
  readonly requestHeaders: Texts | undefined;
  /** Status of the response; 0 if none was sent. */
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

/** A field that can be requested. */
export type FieldName = Exclude<keyof AccessLogFields, 'kind'>;

/** Mutable form while an entry is decoded. */
export type WritableFields = { -readonly [F in keyof AccessLogFields]: AccessLogFields[F] };

/** An empty entry. All entries have one shape, so the code that fills and reads them is compiled once. */
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
