/** Waits for an action of the server or an agent. */
import { setTimeout as sleep } from 'node:timers/promises';
import { InputError } from '../problem.ts';

export interface WaitOptions {
  /** Milliseconds. */
  readonly timeout: number;
  /** Stops waiting; the promise rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Polling interval in milliseconds. */
const POLL = 200;

/**
 * Polls until the condition holds.
 * @param unmet the missing result, and the next action: `the server has …; see its log`
 * @throws InputError `timed out after N s waiting until …` after the timeout
 */
export async function waitUntil(
  { timeout, signal }: WaitOptions,
  holds: () => Promise<boolean>,
  unmet: () => string,
): Promise<void> {
  const end = performance.now() + timeout;
  while (!(await holds())) {
    if (performance.now() > end) throw new InputError(`timed out after ${timeout / 1000} s waiting until ${unmet()}`);
    await sleep(POLL, undefined, signal === undefined ? {} : { signal });
  }
}
