/** Counts of received entries by result. */

/** Entries are `received = retained + filtered + dropped`. Retained entries are in the ring or were evicted from it. */
export interface SinkCounts {
  /** Number of open streams. */
  readonly streams: number;
  readonly messages: number;
  /** Messages that are invalid from some byte on; entries before it count, those after it are unknown. */
  readonly brokenMessages: number;
  readonly received: number;
  /** Passed to the ring and to tails. */
  readonly retained: number;
  /** No rule matched. */
  readonly filtered: number;
  readonly dropped: {
    /** The source exceeded its allowance. */
    readonly rate: number;
    /** Unreadable. */
    readonly malformed: number;
    /** Larger than the maximum of an entry. */
    readonly oversized: number;
  };
  readonly ring: { readonly entries: number; readonly bytes: number; readonly evicted: number };
}

/** Mutable counters, without the ring. */
export interface Counts {
  streams: number;
  messages: number;
  brokenMessages: number;
  received: number;
  retained: number;
  filtered: number;
  readonly dropped: { rate: number; malformed: number; oversized: number };
}

export function newCounts(): Counts {
  return {
    streams: 0,
    messages: 0,
    brokenMessages: 0,
    received: 0,
    retained: 0,
    filtered: 0,
    dropped: { rate: 0, malformed: 0, oversized: 0 },
  };
}
