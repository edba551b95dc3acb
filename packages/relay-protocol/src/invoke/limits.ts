/** Limits of calls, for both ends. */

export interface InvokeLimits {
  /** Number of pending calls. */
  readonly calls: number;
  /** Bytes of a call's arguments. */
  readonly argumentBytes: number;
  /** Bytes of one reply. */
  readonly replyBytes: number;
  /** Bytes of all replies to a call. */
  readonly totalBytes: number;
  /** Number of unread replies. */
  readonly credits: number;
  /** Maximum duration of a call in milliseconds. */
  readonly timeout: number;
  /** The same for an endless method, whose bytes are not limited; `credits` limits its unread replies. */
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

/**
 * Calls back after some milliseconds, unless the returned function is called before. Injected, so that a test or a
 * simulation controls time.
 */
export type After = (milliseconds: number, work: () => void) => () => void;
