/** Who calls whom in a cluster, over the relay: counts that only grow, of each replica of the agent by itself. */
import type { ReplicaAnswer, WorkloadName } from './log-methods.ts';

/** Calls between two workloads as one side's proxies report them. */
export interface EdgeTotals {
  /** Absent where nothing tells who it is. */
  readonly source?: Required<WorkloadName>;
  readonly destination?: Required<WorkloadName>;
  readonly reporter: 'source' | 'destination';
  /** By class: `2xx`, …, `none` where no response was sent, `tcp` for connections. */
  readonly responses: Readonly<Record<string, number>>;
  readonly durations: {
    /** Of all up to each of the bounds the batch names. */
    readonly counts: readonly number[];
    readonly count: number;
    /** Milliseconds. */
    readonly sum: number;
  };
}

/** One reply: a part of what one replica has counted, or, as the last, how replicas stand. */
export interface TrafficBatch {
  readonly replica: string;
  /** Another one where the replica began to count anew. */
  readonly epoch: string;
  /** Monotonic milliseconds of the replica at which it counted this: those of two batches of one epoch may be subtracted. */
  readonly at: number;
  /** Upper bounds of durations in milliseconds, ascending. */
  readonly bounds: readonly number[];
  readonly edges: readonly EdgeTotals[];
  /** Entries since it began that belong to no edge which is kept apart. */
  readonly overflowed: number;
  readonly replicas?: readonly ReplicaAnswer[];
}
