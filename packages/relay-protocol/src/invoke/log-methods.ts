/** Access logs over the relay: queries and replies. */

/** A workload name; omitted parts match anything. */
export interface WorkloadName {
  readonly name?: string;
  readonly namespace?: string;
  readonly cluster?: string;
}

/** All given parts must match. */
export interface LogFilter {
  /** The workload whose proxy reported the entry. */
  readonly workload?: WorkloadName;
  readonly source?: WorkloadName;
  readonly destination?: WorkloadName;
  readonly kind?: 'http' | 'tcp';
  /** Inclusive ranges; one must contain the status. */
  readonly status?: ReadonlyArray<readonly [from: number, to: number]>;
  /** The path without its query equals `exact`, or begins with `prefix`. */
  readonly path?: { readonly exact: string } | { readonly prefix: string };
  readonly method?: string;
  /** Start time in milliseconds since 1970, inclusive. */
  readonly since?: number;
  /** Exclusive. */
  readonly until?: number;
}

export interface LogSearch {
  readonly query: LogFilter;
  /** Maximum number of entries: the newest. */
  readonly limit: number;
}

export interface LogTail {
  readonly query: LogFilter;
  /** Maximum number of earlier entries that the tail starts with. Later entries are sent exactly once. 0 for none. */
  readonly history: number;
}

/**
 * One entry as plain data: `time` in ISO 8601, `cluster`, `workload`, `source`, `destination`, then the fields of the
 * proxy.
 */
export type LoggedEntry = Readonly<Record<string, unknown>>;

/** The answer of one replica of the agent. */
export interface ReplicaAnswer {
  readonly replica: string;
  /** Why it does not answer, or not completely; absent otherwise. */
  readonly problem?: string;
  /** It is no longer a replica of the agent: its unsent entries are lost, and no more will come. */
  readonly gone?: true;
  /**
   * Entries that its sink rejected since the tail began, of all workloads: a source exceeded its limit, or the entry is
   * unreadable.
   */
  readonly dropped?: number;
}

/** One reply. */
export interface LogBatch {
  readonly entries: readonly LoggedEntry[];
  /** Matching entries that were lost before these: the reader was too slow, or an entry exceeded the reply limit. */
  readonly lost?: number;
  /** State of the replicas; for a tail, only those with news. */
  readonly replicas?: readonly ReplicaAnswer[];
  /** For a search: whether more entries or bytes matched than the limits allow. */
  readonly more?: boolean;
}
