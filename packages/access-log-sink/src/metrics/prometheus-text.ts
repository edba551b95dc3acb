/** Series and edges in Prometheus' text format. */
import type { WorkloadRef } from '../attribution/reporter.ts';
import type { Edge } from './edge-metrics.ts';
import { DURATION_BOUNDS } from './latency.ts';
import type { Labels } from './metric-family.ts';
import type { Series } from './series-table.ts';

/** Media type of the result of `prometheusText`. */
export const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** All series of a sink and the edges between workloads, grouped by metric as the format requires. */
export function prometheusText(series: Iterable<Readonly<Series>>, edges: Iterable<Edge> = []): string {
  const byName = Map.groupBy(series, ({ kind, name }) => `${kind} ${name}`);
  const lines = [...byName].flatMap(([key, all]) => {
    const [kind = '', name = ''] = key.split(' ');
    return [`# TYPE ${name} ${kind}`, ...all.flatMap(sampleLines)];
  });
  return [...lines, ...edgeLines([...edges]), ''].join('\n');
}

function sampleLines({ kind, name, labels, workload, value, count, sum, bounds, counts }: Readonly<Series>): string[] {
  const all = [...workloadLabels('', workload), ...labels];
  if (kind !== 'histogram') return [line(name, all, value)];
  return histogramLines(name, all, { bounds, counts, count, sum });
}

function edgeLines(edges: readonly Edge[]): string[] {
  if (edges.length === 0) return [];
  const labels = ({ source, destination, reporter }: Edge): Labels => [
    ...workloadLabels('source_', source),
    ...workloadLabels('destination_', destination),
    ['reporter', reporter],
  ];
  return [
    '# TYPE meshrelay_edge_requests_total counter',
    ...edges.flatMap((edge) =>
      [...edge.responses].map(([code, count]) =>
        line('meshrelay_edge_requests_total', [...labels(edge), ['code', code]], count),
      ),
    ),
    '# TYPE meshrelay_edge_duration_milliseconds histogram',
    ...edges.flatMap((edge) => {
      const { counts, count, sum } = edge.durations;
      return histogramLines('meshrelay_edge_duration_milliseconds', labels(edge), {
        bounds: DURATION_BOUNDS,
        counts,
        count,
        sum,
      });
    }),
  ];
}

interface Histogram {
  readonly bounds: readonly number[];
  readonly counts: readonly number[];
  readonly count: number;
  readonly sum: number;
}

function histogramLines(name: string, labels: Labels, { bounds, counts, count, sum }: Histogram): string[] {
  return [
    ...bounds.map((bound, at) => line(`${name}_bucket`, [...labels, ['le', `${bound}`]], counts[at] ?? 0)),
    line(`${name}_bucket`, [...labels, ['le', '+Inf']], count),
    line(`${name}_sum`, labels, sum),
    line(`${name}_count`, labels, count),
  ];
}

function workloadLabels(prefix: string, workload: WorkloadRef | undefined): Labels {
  const { name = 'unknown', namespace = 'unknown', cluster = 'unknown' } = workload ?? {};
  return [
    [`${prefix}workload`, name],
    [`${prefix}namespace`, namespace],
    [`${prefix}cluster`, cluster],
  ];
}

function line(name: string, labels: Labels, value: number): string {
  const inside = labels.map(
    ([label, text]) => `${label}="${text.replace(/[\\"\n]/g, (each) => (each === '\n' ? '\\n' : `\\${each}`))}"`,
  );
  return `${name}{${inside.join(',')}} ${value}`;
}
