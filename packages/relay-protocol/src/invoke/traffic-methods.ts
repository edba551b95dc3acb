/** Traffic between workloads of a cluster, over the relay: counters per replica of the agent. */
import type { ReplicaAnswer, WorkloadName } from './log-methods.ts';

/** Calls between two workloads, as reported by the proxies of one side. */
export interface EdgeTotals {
  /** Absent when the source is unknown. */
  readonly source?: Required<WorkloadName>;
  readonly destination?: Required<WorkloadName>;
  readonly reporter: 'source' | 'destination';
  /** By class: `2xx`, …, `none` without a response, `tcp` for connections. */
  readonly responses: Readonly<Record<string, number>>;
  readonly durations: {
    /** Cumulative counts for the bounds in the batch. */
    readonly counts: readonly number[];
    readonly count: number;
    /** Milliseconds. */
    readonly sum: number;
  };
}

/** One reply: a part of one replica's counters, or, as the last, the state of the replicas. */
export interface TrafficBatch {
  readonly replica: string;
  /** Changes when the replica restarts counting. */
  readonly epoch: string;
  /** Monotonic milliseconds of the replica at which it counted; two batches of one epoch may be subtracted. */
  readonly at: number;
  /** Upper bounds of durations in milliseconds, ascending. */
  readonly bounds: readonly number[];
  readonly edges: readonly EdgeTotals[];
  /** Entries since the start that belong to no separately counted edge. */
  readonly overflowed: number;
  readonly replicas?: readonly ReplicaAnswer[];
}
