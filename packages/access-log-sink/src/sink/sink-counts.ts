/** What became of everything that was received. */

/** Entries are `received = kept + filtered + dropped`, and what was kept is in the ring or was evicted from it. */
export interface SinkCounts {
  /** Streams that are open. */
  readonly streams: number;
  readonly messages: number;
  /** Messages that were none from some byte on; entries before it count, those behind it are unknown. */
  readonly brokenMessages: number;
  readonly received: number;
  /** Handed to the ring and to tails. */
  readonly retained: number;
  /** Not asked for by any rule. */
  readonly filtered: number;
  readonly dropped: {
    /** The source sent more than its allowance. */
    readonly rate: number;
    /** Not to be read. */
    readonly malformed: number;
    /** Larger than an entry may be. */
    readonly oversized: number;
  };
  readonly ring: { readonly entries: number; readonly bytes: number; readonly evicted: number };
}

/** The same while it counts, without the ring. */
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
