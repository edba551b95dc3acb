/**
 * Queue of objects that differ from their desired state. Each is repaired at once; if another writer keeps undoing the
 * repair, pauses between repairs grow.
 */
import { Backoff, type Clock } from '@meshrelay/concurrency';
import type { ReconcileKey, ReconcileResult } from './object-writer.ts';

export interface RepairQueueOptions {
  readonly repair: (subject: ReconcileKey) => Promise<ReconcileResult>;
  /** Called when the work on an object failed with an error; the object is not retried until it is added again. */
  readonly onError: (error: unknown, subject: ReconcileKey) => void;
  readonly clock: Clock;
  readonly random: () => number;
}

/** Pauses after a repair of the same object, in milliseconds. */
const PAUSES = { first: 500, longest: 20_000 };
/** Time without a repair after which an object's pause resets, in milliseconds. */
const CALM = 60_000;

interface RetryState {
  readonly subject: ReconcileKey;
  readonly backoff: Backoff;
  ready: number;
  due: boolean;
  working: boolean;
}

export class RepairQueue implements AsyncDisposable {
  readonly #options: RepairQueueOptions;
  readonly #patients = new Map<string, RetryState>();
  readonly #stop = new AbortController();
  readonly #work = new Set<Promise<void>>();

  constructor(options: RepairQueueOptions) {
    this.#options = options;
  }

  /** Objects in the repair queue, including those being repaired. */
  get depth(): number {
    return this.#work.size;
  }

  /** Objects that another writer keeps changing, or that cannot be repaired. */
  get contested(): number {
    return this.#patients.values().reduce((count, { backoff }) => count + Number(backoff.failures > 1), 0);
  }

  /** Queues the object: it is reconciled at once, or after the pause of its last repair. */
  add(subject: ReconcileKey): void {
    const retryState = this.#retryState(subject);
    if (this.#options.clock.now() - retryState.ready > CALM) retryState.backoff.reset();
    this.#begin(retryState);
  }

  /** An attempt outside the queue just failed: the object is reconciled again after a pause. */
  retry(subject: ReconcileKey): void {
    const retryState = this.#retryState(subject);
    if (!retryState.due) retryState.ready = this.#options.clock.now() + retryState.backoff.next();
    this.#begin(retryState);
  }

  /** Starts no more repairs; resolves when the current ones have ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#work);
  }

  #retryState(subject: ReconcileKey): RetryState {
    const { random } = this.#options;
    const known = this.#patients.get(subject.id);
    if (known !== undefined) return known;
    const retryState = { subject, backoff: new Backoff({ ...PAUSES, random }), ready: 0, due: false, working: false };
    this.#patients.set(subject.id, retryState);
    return retryState;
  }

  #begin(retryState: RetryState): void {
    if (this.#stop.signal.aborted) return;
    retryState.due = true;
    if (retryState.working) return;
    retryState.working = true;
    const work = this.#treat(retryState).finally(() => this.#work.delete(work));
    this.#work.add(work);
  }

  async #treat(retryState: RetryState): Promise<void> {
    const { repair, onError, clock } = this.#options;
    const { signal } = this.#stop;
    while (retryState.due && !signal.aborted) {
      const pause = retryState.ready - clock.now();
      if (pause > 0) await clock.sleep(pause, signal);
      if (signal.aborted) break;
      retryState.due = false;
      try {
        const outcome = await repair(retryState.subject);
        if (outcome.result === 'unchanged') continue;
        retryState.ready = clock.now() + retryState.backoff.next();
        retryState.due ||= outcome.result === 'failed' && outcome.retry;
      } catch (error) {
        onError(error, retryState.subject);
      }
    }
    retryState.working = false;
    if (retryState.backoff.failures === 0) this.#patients.delete(retryState.subject.id);
  }
}
