/** Retry delays: growing, capped, and random per agent. */

/** In milliseconds. */
export interface Backoff {
  readonly first: number;
  readonly max: number;
}

/** Agents return within five seconds after a restarted server is reachable. */
export const DEFAULT_BACKOFF: Backoff = { first: 250, max: 5_000 };

/**
 * Milliseconds before attempt `attempt` (0 for the first retry): random between zero and the doubled step, at least a
 * tenth of the first step. The jitter keeps a fleet from reconnecting all at once.
 * @param random from 0 to below 1
 */
export function backoffDelay({ first, max }: Backoff, attempt: number, random: number): number {
  const step = Math.min(max, first * 2 ** Math.min(attempt, 30));
  return Math.max(first / 10, step * random);
}
