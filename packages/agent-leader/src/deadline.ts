/** Signals that abort after a time, and waits that end with them. */
import { aborted } from '@meshrelay/concurrency';
import type { Clock } from './clock.ts';

/**
 * Abort reason of a cleared deadline. Created once, because an abort without a reason creates an exception each time.
 */
const CLEARED = new Error('the deadline is no longer needed');

/** Returns a signal that aborts after `milliseconds` or together with `parent`, until it is cleared. */
export function deadline(
  clock: Clock,
  milliseconds: number,
  parent?: AbortSignal,
): { readonly signal: AbortSignal; readonly clear: () => void } {
  const limit = new AbortController();
  const cleared = new AbortController();
  const follow = (): void => limit.abort(parent?.reason);
  if (parent?.aborted) follow();
  parent?.addEventListener('abort', follow, { once: true, signal: cleared.signal });
  void clock.sleep(milliseconds, cleared.signal).then(() => {
    if (!cleared.signal.aborted) limit.abort(new Error(`no answer within ${Math.round(milliseconds)} ms`));
  });
  return { signal: limit.signal, clear: () => cleared.abort(CLEARED) };
}

/** Resolves with the result of `work`. Rejects as soon as `signal` aborts, even if the work ignores the signal. */
export function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return Promise.race([work, aborted(signal).then(() => Promise.reject<T>(signal.reason))]);
}
