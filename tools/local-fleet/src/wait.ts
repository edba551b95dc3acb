/** Waiting for what must become true, with a reason when it does not. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Why a fleet did not come to be as it should. */
export class NotConverged extends Error {
  override readonly name = 'NotConverged';
}

const POLL_MS = 50;

export interface WaitOptions {
  readonly signal: AbortSignal;
  /** Milliseconds; five minutes by default, which a slow machine with much else to do needs and nobody else. */
  readonly timeout?: number;
  /** What was last seen to be missing. */
  readonly missing?: () => string;
}

/** The first value of `probe` that is not undefined. @throws NotConverged saying what was last missing */
export async function until<T>(
  what: string,
  { signal, timeout = 300_000, missing = () => '' }: WaitOptions,
  probe: () => Promise<T | undefined> | T | undefined,
): Promise<T> {
  const end = performance.now() + timeout;
  while (true) {
    signal.throwIfAborted();
    const value = await probe();
    if (value !== undefined) return value;
    if (performance.now() > end) {
      const seen = missing();
      throw new NotConverged(`waited ${timeout / 1000} s in vain for ${what}${seen === '' ? '' : `: ${seen}`}`);
    }
    await sleep(POLL_MS);
  }
}
