/** The generated code's result, converted to this package's fields: the oracle of the decoder. */
import { Buffer } from 'node:buffer';
import { accessLogService, type core, type accessLogData as data, fromBinary } from '@meshrelay/envoy-api';
import type { AccessLogFields } from '../../src/entry/access-log-fields.ts';
import { FLAGS, METHODS, PROTOCOLS, TLS, TYPES } from './als-message.ts';

/** Entries of a message without absent fields. @throws the error of the generated code */
export function generatedEntries(bytes: Uint8Array): Partial<AccessLogFields>[] {
  const { logEntries } = fromBinary(accessLogService.StreamAccessLogsMessageSchema, bytes);
  if (logEntries.case === 'httpLogs') return logEntries.value.logEntry.map(http);
  if (logEntries.case === 'tcpLogs') return logEntries.value.logEntry.map(tcp);
  return [];
}

function http({
  commonProperties,
  protocolVersion,
  request,
  response,
}: data.HTTPAccessLogEntry): Partial<AccessLogFields> {
  return present({
    kind: 'http',
    ...common(commonProperties),
    protocol: PROTOCOLS[protocolVersion],
    method: METHODS[request?.requestMethod ?? 0],
    scheme: request?.scheme,
    authority: request?.authority,
    port: request?.port,
    path: request?.path,
    originalPath: request?.originalPath,
    userAgent: request?.userAgent,
    referer: request?.referer,
    forwardedFor: request?.forwardedFor,
    requestId: request?.requestId,
    requestHeadersBytes: number(request?.requestHeadersBytes),
    requestBodyBytes: number(request?.requestBodyBytes),
    requestHeaders: texts(request?.requestHeaders),
    status: response?.responseCode,
    responseCodeDetails: response?.responseCodeDetails,
    responseHeadersBytes: number(response?.responseHeadersBytes),
    responseBodyBytes: number(response?.responseBodyBytes),
    responseHeaders: texts(response?.responseHeaders),
    responseTrailers: texts(response?.responseTrailers),
  });
}

function tcp({ commonProperties, connectionProperties }: data.TCPAccessLogEntry): Partial<AccessLogFields> {
  return present({
    kind: 'tcp',
    ...common(commonProperties),
    receivedBytes: number(connectionProperties?.receivedBytes),
    sentBytes: number(connectionProperties?.sentBytes),
  });
}

function common(c: data.AccessLogCommon | undefined): Partial<AccessLogFields> {
  const tls = c?.tlsProperties;
  const uri = (of: data.TLSProperties_CertificateProperties | undefined) =>
    of?.subjectAltName.flatMap(({ san }) => (san.case === 'uri' ? [san.value] : []))[0];
  return {
    startTime: milliseconds(c?.startTime),
    duration: milliseconds(c?.duration),
    timeToLastRxByte: milliseconds(c?.timeToLastRxByte),
    timeToFirstUpstreamTxByte: milliseconds(c?.timeToFirstUpstreamTxByte),
    timeToLastUpstreamTxByte: milliseconds(c?.timeToLastUpstreamTxByte),
    timeToFirstUpstreamRxByte: milliseconds(c?.timeToFirstUpstreamRxByte),
    timeToLastUpstreamRxByte: milliseconds(c?.timeToLastUpstreamRxByte),
    timeToFirstDownstreamTxByte: milliseconds(c?.timeToFirstDownstreamTxByte),
    timeToLastDownstreamTxByte: milliseconds(c?.timeToLastDownstreamTxByte),
    sampleRate: c?.sampleRate || undefined,
    accessLogType: TYPES[c?.accessLogType ?? 0],
    intermediate: c?.intermediateLogEntry || undefined,
    responseFlags: flags(c?.responseFlags),
    downstreamRemoteAddress: address(c?.downstreamRemoteAddress),
    downstreamDirectRemoteAddress: address(c?.downstreamDirectRemoteAddress),
    downstreamLocalAddress: address(c?.downstreamLocalAddress),
    upstreamRemoteAddress: address(c?.upstreamRemoteAddress),
    upstreamLocalAddress: address(c?.upstreamLocalAddress),
    upstreamCluster: c?.upstreamCluster,
    routeName: c?.routeName,
    streamId: c?.streamId,
    upstreamRequestAttemptCount: c?.upstreamRequestAttemptCount || undefined,
    upstreamTransportFailureReason: c?.upstreamTransportFailureReason,
    downstreamTransportFailureReason: c?.downstreamTransportFailureReason,
    connectionTerminationDetails: c?.connectionTerminationDetails,
    downstreamWireBytesSent: number(c?.downstreamWireBytesSent),
    downstreamWireBytesReceived: number(c?.downstreamWireBytesReceived),
    upstreamWireBytesSent: number(c?.upstreamWireBytesSent),
    upstreamWireBytesReceived: number(c?.upstreamWireBytesReceived),
    tlsVersion: TLS[tls?.tlsVersion ?? 0],
    tlsSni: tls?.tlsSniHostname,
    localPrincipal: uri(tls?.localCertificateProperties),
    peerPrincipal: uri(tls?.peerCertificateProperties),
    peerSubject: tls?.peerCertificateProperties?.subject,
    customTags: texts(c?.customTags),
    filterState: filterState(c?.filterStateObjects),
  };
}

/** Removes absent fields; Envoy does not write empty texts. */
function present(fields: Partial<AccessLogFields>): Partial<AccessLogFields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''));
}

const number = (value: bigint | undefined): number | undefined => (value ? Number(value) : undefined);

const milliseconds = (time: { readonly seconds: bigint; readonly nanos: number } | undefined): number | undefined =>
  time && (Number(time.seconds) * 1e6 + time.nanos / 1e3) / 1e3;

const texts = (map: Record<string, string> | undefined): Record<string, string> | undefined =>
  map && Object.keys(map).length > 0 ? map : undefined;

function filterState(map: data.AccessLogCommon['filterStateObjects'] | undefined): AccessLogFields['filterState'] {
  const objects = Object.entries(map ?? {}).map(([name, { typeUrl, value }]) => [
    name,
    { typeUrl, value: Buffer.from(value).toString('base64') },
  ]);
  return objects.length === 0 ? undefined : Object.fromEntries(objects);
}

function address(of: core.Address | undefined): string | undefined {
  if (of?.address.case !== 'socketAddress') return undefined;
  const { address: host, portSpecifier } = of.address.value;
  return `${host.includes(':') ? `[${host}]` : host}:${portSpecifier.case === 'portValue' ? portSpecifier.value : 0}`;
}

function flags(of: data.ResponseFlags | undefined): string[] | undefined {
  const set: Readonly<Record<string, unknown>> = {
    UH: of?.noHealthyUpstream,
    UT: of?.upstreamRequestTimeout,
    UF: of?.upstreamConnectionFailure,
    NR: of?.noRouteFound,
    RL: of?.rateLimited,
    UAEX: of?.unauthorizedDetails,
    DC: of?.downstreamConnectionTermination,
    DR: of?.downstreamRemoteReset,
  };
  const words = Object.keys(FLAGS).filter((word) => set[word]);
  return words.length === 0 ? undefined : words;
}
