/** Waits for a condition, and reports a reason if it does not become true. */
import { setTimeout as sleep } from 'node:timers/promises';
import { pauseAfter } from '@meshrelay/testing/eventually';

/** Why a fleet did not reach the expected state. */
export class NotConverged extends Error {
  override readonly name = 'NotConverged';
}

const POLL_MS = 50;

export interface WaitOptions {
  readonly signal: AbortSignal;
  /** Milliseconds. Default: five minutes, which only a slow and busy machine needs. */
  readonly timeout?: number;
  /** Describes the condition that was missing last. */
  readonly missing?: () => string;
}

/** The first value of `probe` that is not undefined. @throws NotConverged naming the condition that was missing last */
export async function until<T>(
  what: string,
  { signal, timeout = 300_000, missing = () => '' }: WaitOptions,
  probe: () => Promise<T | undefined> | T | undefined,
): Promise<T> {
  const end = performance.now() + timeout;
  while (true) {
    signal.throwIfAborted();
    const begun = performance.now();
    const value = await probe();
    if (value !== undefined) return value;
    if (performance.now() > end) {
      const seen = missing();
      throw new NotConverged(`waited ${timeout / 1000} s in vain for ${what}${seen === '' ? '' : `: ${seen}`}`);
    }
    await sleep(pauseAfter(performance.now() - begun, POLL_MS));
  }
}
