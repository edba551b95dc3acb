/**
 * Entries as OTLP log records. Attributes follow OpenTelemetry's semantic conventions if defined; others are under
 * `envoy.`.
 */
import type { Reporter, WorkloadRef } from '../attribution/reporter.ts';
import type { AccessLogEntry } from '../entry/access-log-entry.ts';

type AnyValue =
  | { readonly stringValue: string }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly boolValue: boolean }
  | { readonly arrayValue: { readonly values: readonly AnyValue[] } };

interface KeyValue {
  readonly key: string;
  readonly value: AnyValue;
}

type Attributes = Readonly<Record<string, unknown>>;

/** An `ExportLogsServiceRequest` in OTLP's JSON. */
export function logsRequest(entries: readonly AccessLogEntry[]): unknown {
  const byReporter = Map.groupBy(entries, ({ reporter }) => reporter);
  return {
    resourceLogs: [...byReporter].map(([reporter, own]) => ({
      resource: { attributes: keyValues(resource(reporter)) },
      scopeLogs: [{ scope: { name: '@meshrelay/access-log-sink' }, logRecords: own.map(record) }],
    })),
  };
}

function resource({ workload, cluster, address, node }: Reporter): Attributes {
  return {
    'service.name': workload?.name,
    'service.namespace': workload?.namespace,
    'k8s.namespace.name': workload?.namespace,
    'k8s.cluster.name': cluster,
    'k8s.pod.ip': address,
    'meshrelay.unverified.node.id': node.id,
    'meshrelay.unverified.node.cluster': node.cluster,
  };
}

function record(entry: AccessLogEntry): unknown {
  const { fields: f, direction, source, destination, reporter } = entry;
  const [path, query] = divided(f.path);
  const failed = (f.status ?? 0) >= 500 || f.responseFlags !== undefined;
  const attributes: Attributes = {
    'event.name': f.kind === 'http' ? 'envoy.access_log.http' : 'envoy.access_log.tcp',
    'meshrelay.direction': direction,
    ...workload('meshrelay.source', source),
    ...workload('meshrelay.destination', destination),
    'http.request.method': f.method,
    'url.scheme': f.scheme,
    'url.path': path,
    'url.query': query,
    'server.address': f.authority,
    'user_agent.original': f.userAgent,
    'http.response.status_code': f.status,
    'http.request.body.size': f.requestBodyBytes,
    'http.response.body.size': f.responseBodyBytes,
    'client.address': f.downstreamRemoteAddress,
    'network.peer.address': f.downstreamDirectRemoteAddress,
    'network.protocol.name': f.protocol,
    'envoy.log_name': reporter.logName,
    'envoy.duration_ms': f.duration,
    'envoy.response_flags': f.responseFlags,
    'envoy.response_code_details': f.responseCodeDetails,
    'envoy.upstream_cluster': f.upstreamCluster,
    'envoy.upstream_remote_address': f.upstreamRemoteAddress,
    'envoy.route_name': f.routeName,
    'envoy.request_id': f.requestId,
    'envoy.peer_principal': f.peerPrincipal,
    'envoy.received_bytes': f.receivedBytes,
    'envoy.sent_bytes': f.sentBytes,
    'envoy.access_log_type': f.accessLogType,
    ...prefixed('http.request.header.', f.requestHeaders),
    ...prefixed('http.response.header.', f.responseHeaders),
    ...prefixed('envoy.response_trailer.', f.responseTrailers),
    ...prefixed('envoy.tag.', f.customTags),
  };
  return {
    timeUnixNano: nanoseconds(f.startTime),
    observedTimeUnixNano: nanoseconds(f.startTime),
    severityNumber: failed ? 17 : 9,
    severityText: failed ? 'ERROR' : 'INFO',
    body: { stringValue: sentence(entry) },
    attributes: keyValues(attributes),
  };
}

function sentence({ fields: f }: AccessLogEntry): string {
  if (f.kind === 'tcp') return `TCP ${f.receivedBytes ?? 0} bytes received, ${f.sentBytes ?? 0} sent`;
  return `${f.method ?? '-'} ${f.path ?? '-'} ${f.status ?? 0}`;
}

function workload(prefix: string, of: WorkloadRef | undefined): Attributes {
  return { [`${prefix}.name`]: of?.name, [`${prefix}.namespace`]: of?.namespace, [`${prefix}.cluster`]: of?.cluster };
}

function prefixed(prefix: string, texts: Readonly<Record<string, string>> | undefined): Attributes {
  return Object.fromEntries(Object.entries(texts ?? {}).map(([name, text]) => [prefix + name, text]));
}

function divided(path: string | undefined): readonly [path?: string, query?: string] {
  if (path === undefined) return [];
  const end = path.indexOf('?');
  return end < 0 ? [path] : [path.slice(0, end), path.slice(end + 1)];
}

/** A 64-bit integer is a text in OTLP's JSON. A value out of range becomes 0, which means "unknown" in OTLP. */
function nanoseconds(milliseconds: number | undefined): string {
  if (milliseconds === undefined || !(milliseconds >= 0) || milliseconds > 1.8e13) return '0';
  return `${BigInt(Math.round(milliseconds * 1000)) * 1000n}`;
}

/** Attributes that are present. */
function keyValues(attributes: Attributes): KeyValue[] {
  return Object.entries(attributes).flatMap(([key, value]) => {
    const any = anyValue(value);
    return any === undefined ? [] : [{ key, value: any }];
  });
}

function anyValue(value: unknown): AnyValue | undefined {
  if (typeof value === 'string') return value === '' ? undefined : { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.flatMap((each) => anyValue(each) ?? []) } };
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  return Number.isSafeInteger(value) ? { intValue: `${value}` } : { doubleValue: value };
}
