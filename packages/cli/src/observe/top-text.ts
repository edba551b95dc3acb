/** Formats traffic as tables. */

import { plain } from '../output/plain.ts';
import { table } from '../output/table.ts';
import type { ClusterAnswer } from './cluster-states.ts';

interface Workload {
  readonly name: string;
  readonly namespace: string;
  readonly cluster: string;
}

interface Flow {
  readonly requests: number;
  readonly success?: number;
  readonly connections: number;
  readonly p50?: number;
  readonly p90?: number;
  readonly p99?: number;
}

/** The answer of `GET /api/v1/traffic`. */
export interface Traffic {
  readonly edges: ReadonlyArray<Flow & { readonly source?: Workload; readonly destination?: Workload }>;
  readonly workloads: ReadonlyArray<Flow & { readonly workload: Workload }>;
  readonly more: boolean;
  readonly clusters: readonly ClusterAnswer[];
  readonly overflowed: number;
  readonly misattributed: number;
}

const FLOW = ['REQ/S', 'SUCCESS', 'P50', 'P90', 'P99', 'CONN/S'];

export function topText({ workloads, edges, more, overflowed, misattributed }: Traffic): string {
  if (edges.length === 0) return 'no calls in the last seconds\n';
  const notes = [
    ...(more ? ['not all edges are shown; raise --limit, or name a namespace or a workload'] : []),
    ...(overflowed > 0 ? [`${overflowed} edges and calls exceed the limit and are not counted`] : []),
    ...(misattributed > 0 ? [`${misattributed} edges name another cluster and are not counted`] : []),
  ];
  return [
    table(
      ['WORKLOAD', ...FLOW],
      workloads.map(({ workload, ...flow }) => [nameOf(workload), ...cellsOf(flow)]),
    ),
    table(
      ['SOURCE', 'DESTINATION', ...FLOW],
      edges.map(({ source, destination, ...flow }) => [nameOf(source), nameOf(destination), ...cellsOf(flow)]),
    ),
    ...(notes.length === 0 ? [] : [`${notes.join('\n')}\n`]),
  ].join('\n');
}

function nameOf(workload: Workload | undefined): string {
  return workload === undefined ? 'unknown' : plain(`${workload.name}.${workload.namespace}.${workload.cluster}`);
}

function cellsOf({ requests, success, connections, p50, p90, p99 }: Flow): string[] {
  return [
    rate(requests),
    success === undefined ? '-' : `${(Math.floor(success * 1000) / 10).toFixed(1)}%`,
    ...[p50, p90, p99].map((each) => (each === undefined ? '-' : `${each < 10 ? each.toFixed(1) : each.toFixed(0)}ms`)),
    rate(connections),
  ];
}

function rate(perSecond: number): string {
  if (perSecond === 0) return '-';
  return perSecond < 10 ? perSecond.toFixed(2) : perSecond.toFixed(0);
}
