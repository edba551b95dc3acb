/** Metrics of the port for proxies. */
import type { Metrics } from '@meshrelay/telemetry';
import type { DataPlane } from '../data-plane/data-plane.ts';

/** What is counted as it happens. */
export interface DataPlaneCounters {
  refused(reason: string): void;
}

/** Registers them; all but refusals are read from the parts when they are scraped. */
export function dataPlaneMetrics(
  metrics: Metrics,
  { sink, metrics: proxyMetrics, edges, proxies }: DataPlane,
  connections: () => number,
): DataPlaneCounters {
  const gauge = (name: string, help: string, read: () => number) => metrics.gauge({ name, help, read });
  gauge('data_plane_connections', 'Connections of proxies and scrapers to this replica.', connections);
  gauge('xds_streams', 'Envoys that take their configuration from this replica.', () => proxies.size);
  gauge('access_log_streams', 'Streams of access logs that are open.', () => sink.counts.streams);
  gauge('access_log_ring_bytes', 'Bytes of entries that are kept for queries.', () => sink.counts.ring.bytes);
  gauge('proxy_series', 'Series of metrics of proxies that are kept.', () => proxyMetrics.counts.series);
  metrics.counter({
    name: 'access_log_entries_total',
    help: 'Entries of access logs that were received, by what became of them.',
    labels: ['result'],
    read: () => {
      const { kept, filtered, dropped } = sink.counts;
      return Object.entries({ kept, filtered, ...dropped }).map(([result, total]) => [total, { result }] as const);
    },
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
