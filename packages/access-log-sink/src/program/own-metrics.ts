/** The sink's own counters in Prometheus' text format. */
import type { RunningExport } from '../export/log-exporter.ts';
import type { EdgeMetrics } from '../metrics/edge-metrics.ts';
import type { MetricsSink } from '../metrics/metrics-sink.ts';
import type { AccessLogSink } from '../sink/access-log-sink.ts';

type Sample = readonly [labels: string, value: number];

/** Received entries by result. */
export function ownMetrics(
  sink: AccessLogSink,
  metrics: MetricsSink,
  edges: EdgeMetrics,
  exports: readonly RunningExport[],
): string {
  const { streams, messages, brokenMessages, received, retained, filtered, dropped, ring } = sink.counts;
  const out = (pick: (counts: RunningExport['counts']) => number): Sample[] =>
    exports.map(({ name, counts }) => [`{exporter="${name}"}`, pick(counts)]);
  return [
    family('streams', 'gauge', [
      ['{service="logs"}', streams],
      ['{service="metrics"}', metrics.counts.streams],
    ]),
    family('messages_total', 'counter', [
      ['{service="logs"}', messages],
      ['{service="metrics"}', metrics.counts.messages],
    ]),
    family('broken_messages_total', 'counter', [
      ['{service="logs"}', brokenMessages],
      ['{service="metrics"}', metrics.counts.brokenMessages],
    ]),
    family('entries_received_total', 'counter', [['', received]]),
    family('entries_kept_total', 'counter', [['', retained]]),
    family('entries_filtered_total', 'counter', [['', filtered]]),
    family(
      'entries_dropped_total',
      'counter',
      Object.entries(dropped).map(([reason, value]) => [`{reason="${reason}"}`, value]),
    ),
    family('ring_entries', 'gauge', [['', ring.entries]]),
    family('ring_bytes', 'gauge', [['', ring.bytes]]),
    family('ring_evicted_total', 'counter', [['', ring.evicted]]),
    family('series', 'gauge', [['', metrics.counts.series]]),
    family('series_overflow_total', 'counter', [['', metrics.counts.overflowed]]),
    family('edge_overflow_total', 'counter', [['', edges.overflowed]]),
    family(
      'export_delivered_total',
      'counter',
      out(({ delivered }) => delivered),
    ),
    family(
      'export_lost_total',
      'counter',
      out(({ lost }) => lost),
    ),
    family(
      'export_dropped_total',
      'counter',
      out((counts) => counts.dropped),
    ),
    family(
      'export_retries_total',
      'counter',
      out(({ retries }) => retries),
    ),
    family(
      'export_waiting',
      'gauge',
      out(({ waiting }) => waiting),
    ),
  ].join('');
}

function family(name: string, type: 'counter' | 'gauge', samples: readonly Sample[]): string {
  if (samples.length === 0) return '';
  const full = `meshrelay_access_log_${name}`;
  return `# TYPE ${full} ${type}\n${samples.map(([labels, value]) => `${full}${labels} ${value}\n`).join('')}`;
}
