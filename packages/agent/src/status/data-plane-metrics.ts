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
    'Connections of proxies and scrapers to this replica.',
    () => status.dataPlane?.connections ?? 0,
  );
  gauge('known_addresses', 'Addresses of pods, by which logs and metrics are attributed.', () => pods.size);
  gauge('xds_objects', 'Objects with configuration of Envoys that are served.', () => status.envoys?.size ?? 0);
  gauge(
    'xds_refused_resources',
    'Resources that Envoys of this replica refuse, or are not sent since they would.',
    () => status.envoys?.refused ?? 0,
  );
  gauge(
    'envoy_roots_namespaces',
    "Namespaces that this replica, as the leader, has given the roots of the agent's certificate.",
    () => status.leader?.rootConfigMaps?.size ?? 0,
  );
  gauge(
    'data_plane_certificate_expiry_timestamp_seconds',
    'When the certificate shown to Envoys ends, in seconds since 1970; 0 without one.',
    () => (status.envoys?.certificate.expiry?.getTime() ?? 0) / 1000,
  );
  gauge('xds_streams', 'Envoys that take their configuration from this replica.', () => proxies.size);
  gauge('access_log_streams', 'Streams of access logs that are open.', () => sink.counts.streams);
  gauge('access_log_ring_bytes', 'Bytes of entries that are kept for queries.', () => sink.counts.ring.bytes);
  gauge('proxy_series', 'Series of metrics of proxies that are kept.', () => proxyMetrics.counts.series);
  metrics.counter({
    name: 'access_log_entries_total',
    help: 'Entries of access logs that were received, by what became of them.',
    labels: ['result'],
    read: () => {
      const { retained, filtered, dropped } = sink.counts;
      return Object.entries({ retained, filtered, ...dropped }).map(([result, total]) => [total, { result }] as const);
    },
  });
  metrics.gauge({
    name: 'access_log_export_queue_depth',
    help: 'Entries of access logs that wait for the way out they are to take, or are on it.',
    labels: ['exporter'],
    read: () =>
      (status.logExports?.running ?? []).map(({ name: exporter, counts }) => [counts.waiting, { exporter }] as const),
  });
  gauge('wasm_modules', 'Wasm modules that are had for the Envoys of this replica.', () => plane.modules.counts.had);
  gauge(
    'wasm_modules_missing',
    'Wasm modules that are wanted and not had yet, or cannot be had.',
    () => plane.modules.counts.missing,
  );
  gauge('wasm_cache_bytes', 'Bytes of the Wasm modules that are kept on disk.', () => plane.modules.counts.bytes);
  metrics.counter({
    name: 'access_log_exported_total',
    help: 'Entries of access logs by the way out they were to take, and what became of them.',
    labels: ['exporter', 'result'],
    read: () =>
      (status.logExports?.running ?? []).flatMap(({ name: exporter, counts: { delivered, lost, dropped } }) =>
        Object.entries({ delivered, lost, dropped }).map(([result, total]) => [total, { exporter, result }] as const),
      ),
  });
  metrics.counter({
    name: 'proxy_messages_broken_total',
    help: 'Messages of proxies that were none from some byte on, by what they were to be.',
    labels: ['service'],
    read: () => [
      [sink.counts.brokenMessages, { service: 'logs' }],
      [proxyMetrics.counts.brokenMessages, { service: 'metrics' }],
    ],
  });
  metrics.counter({
    name: 'proxy_series_overflow_total',
    help: 'Samples and calls that found no room among the series and edges that are kept.',
    read: () => [[proxyMetrics.counts.overflowed + edges.overflowed]],
  });
  const refused = metrics.counter({
    name: 'data_plane_refused_total',
    help: 'Connections to the port for proxies that were ended, by the reason.',
    labels: ['reason'],
  });
  return { refused: (reason) => refused.inc({ reason }) };
}
