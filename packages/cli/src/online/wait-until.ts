/** Waiting for what the server or an agent does. */
import { setTimeout as sleep } from 'node:timers/promises';
import { InputError } from '../problem.ts';

export interface WaitOptions {
  /** Milliseconds. */
  readonly timeout: number;
  /** Gives up; the wait rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Milliseconds between two looks. */
const POLL = 200;

/**
 * Looks until something holds.
 * @param unmet what did not come to be, and what to do next: `the server had …; its log says why`
 * @throws InputError `waited N s in vain until …` when time is over
 */
export async function waitUntil(
  { timeout, signal }: WaitOptions,
  holds: () => Promise<boolean>,
  unmet: () => string,
): Promise<void> {
  const end = performance.now() + timeout;
  while (!(await holds())) {
    if (performance.now() > end) throw new InputError(`waited ${timeout / 1000} s in vain until ${unmet()}`);
    await sleep(POLL, undefined, signal === undefined ? {} : { signal });
  }
}
