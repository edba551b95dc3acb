/**
 * Logs failures of election requests once: when they start to fail, when the reason changes, and when they succeed
 * again.
 */
import type { ElectionOperation } from '@meshrelay/agent-leader';
import { isLostRace } from '@meshrelay/agent-leader/coordination';
import type { Logger } from '@meshrelay/telemetry';

/** Why requests for the Lease fail; undefined when they succeed again. */
export type ElectionError = Error | undefined;

export class ElectionLog {
  readonly #logger: Logger;
  readonly #changed: (failure: ElectionError) => void;
  readonly #logged = new Set<string>();

  constructor(logger: Logger, changed: (failure: ElectionError) => void = () => undefined) {
    this.#logger = logger;
    this.#changed = changed;
  }

  /** For an elector's `onError`. */
  readonly failed = (error: unknown, operation: ElectionOperation): void => {
    if (isLostRace(error)) return;
    if (operation === 'onStartedLeading' || operation === 'onStoppedLeading') {
      this.#logger.warn('election failed', { operation, error });
      return;
    }
    const failure = error instanceof Error ? error : new Error(String(error));
    const line = `${operation} ${failure.message}`;
    if (this.#logged.has(line)) return;
    this.#logged.add(line);
    this.#logger.warn('election failed; the program retries, and logs when it succeeds', { operation, error });
    this.#changed(failure);
  };

  /** For an elector's `onRecovered`. */
  readonly recovered = (): void => {
    if (this.#logged.size === 0) return;
    this.#logged.clear();
    this.#logger.info('election continues');
    this.#changed(undefined);
  };
}
