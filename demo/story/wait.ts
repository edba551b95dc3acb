/** Waiting for what must become true, with a reason when it does not. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Why the demo did not converge; the program ends with 1. */
export class NotConverged extends Error {
  override readonly name = 'NotConverged';
}

const POLL_MS = 50;

/** The first value of `probe` that is not undefined. @throws NotConverged saying what was last missing */
export async function until<T>(
  what: string,
  signal: AbortSignal,
  probe: () => Promise<T | undefined> | T | undefined,
  missing: () => string = () => '',
  timeout = 60_000,
): Promise<T> {
  const end = performance.now() + timeout;
  while (true) {
    signal.throwIfAborted();
    const value = await probe();
    if (value !== undefined) return value;
    if (performance.now() > end)
      throw new NotConverged(
        `waited ${timeout / 1000} s in vain for ${what}${missing() === '' ? '' : `: ${missing()}`}`,
      );
    await sleep(POLL_MS);
  }
}
