/** How much calls may take, for both ends. */

export interface InvokeLimits {
  /** Calls under way at once. */
  readonly calls: number;
  /** Bytes of a call's arguments. */
  readonly argumentBytes: number;
  /** Bytes of one reply. */
  readonly replyBytes: number;
  /** Bytes of all replies to a call. */
  readonly totalBytes: number;
  /** Replies on the way that nobody has read. */
  readonly credits: number;
  /** Milliseconds a call may take at most. */
  readonly timeout: number;
  /** The same for a method without end, whose bytes are not limited: only what is on the way is, by `credits`. */
  readonly endlessTimeout: number;
}

const KIB = 1024;

export const DEFAULT_INVOKE_LIMITS: InvokeLimits = {
  calls: 16,
  argumentBytes: 64 * KIB,
  replyBytes: 256 * KIB,
  totalBytes: 16 * KIB * KIB,
  credits: 8,
  timeout: 60_000,
  endlessTimeout: 3_600_000,
};

/** Calls back after some milliseconds, unless what it returns is called before. Handed in, so that a test or a simulation decides about time. */
export type After = (milliseconds: number, work: () => void) => () => void;
