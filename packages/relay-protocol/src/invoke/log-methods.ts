/** Access logs over the relay: what is asked for, and how it is answered. */

/** A workload, as far as it is named: omitted parts may be anything. */
export interface WorkloadName {
  readonly name?: string;
  readonly namespace?: string;
  readonly cluster?: string;
}

/** All parts that are given must be met. */
export interface LogFilter {
  /** Whose proxy reported the entry. */
  readonly workload?: WorkloadName;
  readonly source?: WorkloadName;
  readonly destination?: WorkloadName;
  readonly kind?: 'http' | 'tcp';
  /** Inclusive ranges, of which one must hold the status. */
  readonly status?: ReadonlyArray<readonly [from: number, to: number]>;
  /** The path without its query is `exact`, or begins with `prefix`. */
  readonly path?: { readonly exact: string } | { readonly prefix: string };
  readonly method?: string;
  /** Milliseconds since 1970, of the start: inclusive. */
  readonly since?: number;
  /** Exclusive. */
  readonly until?: number;
}

export interface LogSearch {
  readonly query: LogFilter;
  /** Entries at most: the newest. */
  readonly limit: number;
}

export interface LogTail {
  readonly query: LogFilter;
  /** Entries at most, of those logged before, with which the tail begins; what comes after them is neither told twice nor left out. 0 for none. */
  readonly history: number;
}

/** One entry as plain data: `time` in ISO 8601, `cluster`, `workload`, `source`, `destination`, then what the proxy wrote. */
export type LoggedEntry = Readonly<Record<string, unknown>>;

/** How one replica of the agent answers. */
export interface ReplicaAnswer {
  readonly replica: string;
  /** Why it does not answer, or not in full; absent where it does. */
  readonly problem?: string;
  /** It is none of the agent's replicas any more: what it had not told is lost, and nothing more is to come. */
  readonly gone?: true;
  /** Entries that its sink did not take since the tail began, of all workloads: a source sent more than it may, or what cannot be read. */
  readonly dropped?: number;
}

/** One reply. */
export interface LogBatch {
  readonly entries: readonly LoggedEntry[];
  /** Entries that met the query, came before these and were lost: the reader was too slow, or one was larger than a reply may be. */
  readonly lost?: number;
  /** How replicas stand; of a tail, those of which there is something new to say. */
  readonly replicas?: readonly ReplicaAnswer[];
  /** Of a search: whether there were more than the limit, or more bytes than an answer may have. */
  readonly more?: boolean;
}
