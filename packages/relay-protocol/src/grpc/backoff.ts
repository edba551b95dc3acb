/** How long to wait before trying again: growing, capped, and never the same for two agents. */

/** In milliseconds. */
export interface Backoff {
  readonly first: number;
  readonly max: number;
}

/** A server that was restarted has its agents back within five seconds of being there again. */
export const DEFAULT_BACKOFF: Backoff = { first: 250, max: 5_000 };

/**
 * Milliseconds before attempt `attempt` (0 for the first repetition): somewhere between nothing and the doubled step, so that a fleet whose server
 * went away does not come back at one moment. Never less than a tenth of the first step.
 * @param random from 0 to below 1
 */
export function backoffDelay({ first, max }: Backoff, attempt: number, random: number): number {
  const step = Math.min(max, first * 2 ** Math.min(attempt, 30));
  return Math.max(first / 10, step * random);
}
