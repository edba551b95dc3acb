/** Opens the next connection while the present one still serves. */
import type { RelayConnection } from './relay-connection.ts';

/** A wrapper of a connection that is not open yet. */
interface Candidate {
  readonly connection: Pick<RelayConnection, 'ready' | 'close'>;
}

export interface Mover<C extends Candidate> {
  dial(): Promise<C>;
  /** Waits some milliseconds; rejects when the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
  readonly signal: AbortSignal;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Called for each failed attempt. */
  readonly failed?: (thrown: unknown) => void;
}

/** Milliseconds for one attempt, and between two attempts. */
const ATTEMPT = 5_000;
const PAUSE = 10_000;

/**
 * An open connection, or undefined when none could be opened `within` that many milliseconds; at least one attempt is
 * made. Only the connection is opened in advance. Streams start after those of the old one ended, so the server never
 * has two streams of one cluster.
 */
export async function successor<C extends Candidate>(within: number, mover: Mover<C>): Promise<C | undefined> {
  const { dial, sleep, signal, now, failed } = mover;
  const end = now() + within;
  while (!signal.aborted) {
    const candidate = await attempt(dial, failed);
    if (candidate !== undefined && !signal.aborted) return candidate;
    candidate?.connection.close();
    if (now() + PAUSE >= end) return undefined;
    await sleep(PAUSE, signal).catch(() => undefined);
  }
  return undefined;
}

async function attempt<C extends Candidate>(
  dial: () => Promise<C>,
  failed: Mover<C>['failed'],
): Promise<C | undefined> {
  let candidate: C | undefined;
  try {
    candidate = await dial();
    await candidate.connection.ready(ATTEMPT);
    return candidate;
  } catch (thrown) {
    candidate?.connection.close();
    failed?.(thrown);
    return undefined;
  }
}
