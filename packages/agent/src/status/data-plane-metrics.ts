/** Metrics of the port for proxies. */
import type { Metrics } from '@meshrelay/telemetry';
import type { DataPlane } from '../data-plane/data-plane.ts';
import type { AgentStatus } from './agent-status.ts';

/** Counters that are updated as events happen. */
export interface DataPlaneCounters {
  refused(reason: string): void;
}

/** Registers the metrics. All except rejections are read from their sources at scrape time. */
export function dataPlaneMetrics(
  metrics: Metrics,
  { plane, status }: { readonly plane: DataPlane; readonly status: AgentStatus },
): DataPlaneCounters {
  const { sink, metrics: proxyMetrics, edges, proxies, pods } = plane;
  const gauge = (name: string, help: string, read: () => number) => metrics.gauge({ name, help, read });
  gauge(
    'data_plane_connections',
    'Number of connections of proxies and scrapers to this replica.',
    () => status.dataPlane?.connections ?? 0,
  );
  gauge('known_addresses', 'Number of pod addresses that logs and metrics are attributed to.', () => pods.size);
  gauge('xds_objects', 'Number of served XdsConfig objects.', () => status.envoys?.size ?? 0);
  gauge(
    'xds_nacked_resources',
    'Number of resources that Envoys of this replica reject, or that are not sent because they would be rejected.',
    () => status.envoys?.nacked ?? 0,
  );
  gauge(
    'envoy_roots_namespaces',
    "Number of namespaces to which this replica, as the leader, has written the roots of the agent's certificate.",
    () => status.leader?.rootConfigMaps?.size ?? 0,
  );
  gauge(
    'data_plane_certificate_expiry_timestamp_seconds',
    'Expiry of the certificate that Envoys verify, in seconds since 1970; 0 without one.',
    () => (status.envoys?.certificate.expiry?.getTime() ?? 0) / 1000,
  );
  gauge('xds_streams', 'Number of Envoys that get their configuration from this replica.', () => proxies.size);
  gauge('access_log_streams', 'Number of open access log streams.', () => sink.counts.streams);
  gauge('access_log_ring_bytes', 'Bytes of access log entries stored for queries.', () => sink.counts.ring.bytes);
  gauge('proxy_series', 'Number of stored metric series of proxies.', () => proxyMetrics.counts.series);
  metrics.counter({
    name: 'access_log_entries_total',
    help: 'Number of access log entries received, by result.',
    labels: ['result'],
    read: () => {
      const { retained, filtered, dropped } = sink.counts;
      return Object.entries({ retained, filtered, ...dropped }).map(([result, total]) => [total, { result }] as const);
    },
  });
  metrics.gauge({
    name: 'access_log_export_queue_depth',
    help: 'Number of access log entries in the queue of an exporter, including those being sent.',
    labels: ['exporter'],
    read: () =>
      (status.logExports?.running ?? []).map(({ name: exporter, counts }) => [counts.waiting, { exporter }] as const),
  });
  gauge(
    'wasm_modules',
    'Number of Wasm modules that this replica has for its Envoys.',
    () => plane.modules.counts.available,
  );
  gauge(
    'wasm_modules_missing',
    'Number of Wasm modules that are required and not fetched yet, or cannot be fetched.',
    () => plane.modules.counts.missing,
  );
  gauge('wasm_cache_bytes', 'Bytes of Wasm modules stored on disk.', () => plane.modules.counts.bytes);
  metrics.counter({
    name: 'access_log_exported_total',
    help: 'Number of access log entries for each exporter, by result.',
    labels: ['exporter', 'result'],
    read: () =>
      (status.logExports?.running ?? []).flatMap(({ name: exporter, counts: { delivered, lost, dropped } }) =>
        Object.entries({ delivered, lost, dropped }).map(([result, total]) => [total, { exporter, result }] as const),
      ),
  });
  metrics.counter({
    name: 'proxy_messages_broken_total',
    help: 'Number of malformed messages from proxies, by service.',
    labels: ['service'],
    read: () => [
      [sink.counts.brokenMessages, { service: 'logs' }],
      [proxyMetrics.counts.brokenMessages, { service: 'metrics' }],
    ],
  });
  metrics.counter({
    name: 'proxy_series_overflow_total',
    help: 'Number of samples and calls dropped at the limit of stored series and edges.',
    read: () => [[proxyMetrics.counts.overflowed + edges.overflowed]],
  });
  const refused = metrics.counter({
    name: 'data_plane_refused_total',
    help: 'Number of closed connections on the port for proxies, by reason.',
    labels: ['reason'],
  });
  return { refused: (reason) => refused.inc({ reason }) };
}
