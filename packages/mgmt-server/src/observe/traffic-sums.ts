/** Calls between workloads, summed over replicas and clusters: the edges of a service graph. */
import type { WorkloadName } from '@meshrelay/relay-protocol';
import { type Histogram, quantileOf, sumOf } from './histogram.ts';
import { type EdgeRates, workloadKey } from './traffic-sample.ts';

type Workload = Required<WorkloadName>;

/** Rate, success and latency. */
export interface Flow {
  /** HTTP requests per second. */
  readonly requests: number;
  /** Share of requests without a 5xx response; absent without requests. */
  readonly success?: number;
  /** TCP connections per second. */
  readonly connections: number;
  /** Percentiles of the duration in milliseconds; absent if no request or connection has ended. */
  readonly p50?: number;
  readonly p90?: number;
  readonly p99?: number;
}

export interface EdgeFlow extends Flow {
  /** Absent if the source is unknown. */
  readonly source?: Workload;
  readonly destination?: Workload;
  /** The side that reported the edge. */
  readonly reporter: 'source' | 'destination';
}

export interface WorkloadFlow extends Flow {
  readonly workload: Workload;
}

interface Sum {
  failed: number;
  requests: number;
  connections: number;
  durations: Histogram | undefined;
}

interface Edge {
  readonly source: Workload | undefined;
  readonly destination: Workload | undefined;
  readonly sides: Partial<Record<'source' | 'destination', Sum>>;
}

/** Maximum number of distinct edges. */
const MAX_EDGES = 100_000;

export class TrafficSums {
  readonly #edges = new Map<string, Edge>();
  #misattributed = 0;
  #overflowed = 0;

  /** Edges that a cluster's agent reported for another cluster. */
  get misattributed(): number {
    return this.#misattributed;
  }

  /** Edges dropped because of a size limit. */
  get overflowed(): number {
    return this.#overflowed;
  }

  /** @param cluster that of the credential it came with: the reporter's side must be in it */
  add(cluster: string, { source, destination, reporter, responses, durations }: EdgeRates): void {
    const own = reporter === 'source' ? source : destination;
    if (own !== undefined && own.cluster !== cluster) {
      this.#misattributed++;
      return;
    }
    const key = `${workloadKey(source)} ${workloadKey(destination)}`;
    let edge = this.#edges.get(key);
    if (edge === undefined) {
      if (this.#edges.size >= MAX_EDGES) {
        this.#overflowed++;
        return;
      }
      edge = { source, destination, sides: {} };
      this.#edges.set(key, edge);
    }
    edge.sides[reporter] ??= newSum();
    const sum = edge.sides[reporter];
    for (const [code, rate] of Object.entries(responses)) {
      if (code === 'tcp') sum.connections += rate;
      else sum.requests += rate;
      if (code === '5xx' || code === 'none') sum.failed += rate;
    }
    sum.durations = sum.durations === undefined ? durations : sumOf(sum.durations, durations);
  }

  /**
   * Each edge as one side reported it: the caller if possible, which also saw calls that never arrived. Sorted by
   * calls, descending.
   */
  edges(desired: WorkloadName = {}): EdgeFlow[] {
    return [...this.#edges.values()]
      .filter(({ source, destination }) => isDesired(source, desired) || isDesired(destination, desired))
      .flatMap(({ source, destination, sides }): EdgeFlow[] => {
        const reporter = sides.source === undefined ? 'destination' : 'source';
        const sum = sides[reporter];
        if (sum === undefined) return [];
        return [
          {
            ...(source === undefined ? {} : { source }),
            ...(destination === undefined ? {} : { destination }),
            reporter,
            ...flowOf(sum),
          },
        ];
      })
      .sort(byCalls);
  }

  /** Traffic into each workload, by the side that reported it. */
  workloads(desired: WorkloadName = {}): WorkloadFlow[] {
    const sums = new Map<string, { readonly workload: Workload; readonly sum: Sum }>();
    for (const { destination, sides } of this.#edges.values()) {
      const side = sides.source ?? sides.destination;
      if (destination === undefined || side === undefined || !isDesired(destination, desired)) continue;
      const key = workloadKey(destination);
      const { sum } = sums.get(key) ?? { sum: newSum() };
      sums.set(key, { workload: destination, sum });
      sum.requests += side.requests;
      sum.failed += side.failed;
      sum.connections += side.connections;
      if (side.durations !== undefined)
        sum.durations = sum.durations === undefined ? side.durations : sumOf(sum.durations, side.durations);
    }
    return [...sums.values()].map(({ workload, sum }) => ({ workload, ...flowOf(sum) })).sort(byCalls);
  }
}

function newSum(): Sum {
  return { failed: 0, requests: 0, connections: 0, durations: undefined };
}

function flowOf({ requests, failed, connections, durations }: Sum): Flow {
  const quantile = (share: number): number | undefined =>
    durations === undefined ? undefined : quantileOf(durations, share);
  const [p50, p90, p99] = [quantile(0.5), quantile(0.9), quantile(0.99)];
  return {
    requests,
    ...(requests === 0 ? {} : { success: 1 - failed / requests }),
    connections,
    ...(p50 === undefined ? {} : { p50 }),
    ...(p90 === undefined ? {} : { p90 }),
    ...(p99 === undefined ? {} : { p99 }),
  };
}

function byCalls(a: Flow, b: Flow): number {
  return b.requests + b.connections - (a.requests + a.connections);
}

function isDesired(workload: Workload | undefined, { name, namespace, cluster }: WorkloadName): boolean {
  if (name === undefined && namespace === undefined && cluster === undefined) return true;
  return (
    workload !== undefined &&
    (name ?? workload.name) === workload.name &&
    (namespace ?? workload.namespace) === workload.namespace &&
    (cluster ?? workload.cluster) === workload.cluster
  );
}
