/** Counters of a cluster's agent at one moment, and their growth since an earlier sample. */
import type { EdgeTotals, TrafficBatch, WorkloadName } from '@meshrelay/relay-protocol';
import { growth, type Histogram } from './histogram.ts';

/** One process of the agent. */
interface Counted {
  /** The process's clock, in milliseconds. */
  readonly at: number;
  readonly edges: Map<string, { readonly totals: EdgeTotals; readonly durations: Histogram }>;
}

/** Calls per second between two workloads, as one side reports them. */
export interface EdgeRates {
  readonly source?: Required<WorkloadName>;
  readonly destination?: Required<WorkloadName>;
  readonly reporter: 'source' | 'destination';
  /** Per second, by response class. */
  readonly responses: Readonly<Record<string, number>>;
  /** Durations between the two samples. */
  readonly durations: Histogram;
}

export class TrafficSample {
  readonly #max: number;
  readonly #counted = new Map<string, Counted>();
  #overflowed = 0;

  /** @param max maximum edges taken from one replica */
  constructor(max: number) {
    this.#max = max;
  }

  /** Edges that are not included, and calls of edges that the agent could not distinguish. */
  get overflowed(): number {
    return this.#overflowed;
  }

  add({ epoch, at, bounds, edges, overflowed }: TrafficBatch): void {
    if (epoch === '') return;
    const known = this.#counted.get(epoch);
    const counted = known ?? { at, edges: new Map() };
    if (known === undefined) {
      this.#counted.set(epoch, counted);
      this.#overflowed += overflowed;
    }
    for (const totals of edges) {
      const { counts, count } = totals.durations;
      if (counted.edges.size >= this.#max) this.#overflowed++;
      else counted.edges.set(edgeKey(totals), { totals, durations: { bounds, counts, count } });
    }
  }

  /** Whether this sample includes every process of the other. */
  covers(other: TrafficSample): boolean {
    return [...other.#counted.keys()].every((epoch) => this.#counted.has(epoch));
  }

  /** Rates per second since an earlier sample, for each process in both; a newer process is in the next one. */
  *since(before: TrafficSample): Generator<EdgeRates> {
    for (const [epoch, { at, edges }] of this.#counted) {
      const earlier = before.#counted.get(epoch);
      const seconds = earlier === undefined ? 0 : (at - earlier.at) / 1000;
      if (earlier === undefined || seconds <= 0) continue;
      for (const [key, { totals, durations }] of edges) {
        const old = earlier.edges.get(key);
        const grown = Object.entries(totals.responses).flatMap(([code, count]): [string, number][] => {
          const more = count - (old?.totals.responses[code] ?? 0);
          return more > 0 ? [[code, more / seconds]] : [];
        });
        if (grown.length === 0) continue;
        const { source, destination, reporter } = totals;
        yield {
          ...(source === undefined ? {} : { source }),
          ...(destination === undefined ? {} : { destination }),
          reporter,
          responses: Object.fromEntries(grown),
          durations: growth(old?.durations, durations),
        };
      }
    }
  }
}

function edgeKey({ source, destination, reporter }: Pick<EdgeTotals, 'source' | 'destination' | 'reporter'>): string {
  return `${reporter} ${workloadKey(source)} ${workloadKey(destination)}`;
}

/** Kubernetes names contain no slash. */
export function workloadKey(workload: WorkloadName | undefined): string {
  return workload === undefined ? '-' : `${workload.cluster}/${workload.namespace}/${workload.name}`;
}
