/** Objects that are not as they should be, each put right at once, and ever more slowly where somebody keeps undoing it. */
import { Backoff, type Clock } from '@meshrelay/kube';
import type { ReconcileKey, ReconcileResult } from './object-writer.ts';

export interface RepairQueueOptions {
  readonly repair: (subject: ReconcileKey) => Promise<ReconcileResult>;
  /** The queue's work ended by an error; nothing of that object is tried until it is added again. */
  readonly onError: (error: unknown, subject: ReconcileKey) => void;
  readonly clock: Clock;
  readonly random: () => number;
}

/** Pauses after a repair of the same object, in milliseconds. */
const PAUSES = { first: 500, longest: 20_000 };
/** After this long without a repair an object counts as calm again, in milliseconds. */
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

  /** Objects that wait to be put right, or are being so. */
  get depth(): number {
    return this.#work.size;
  }

  /** Objects that somebody keeps changing, or that cannot be put right. */
  get contested(): number {
    return this.#patients.values().reduce((count, { backoff }) => count + Number(backoff.failures > 1), 0);
  }

  /** The object needs a look: at once, or when the pause after its last repair is over. */
  add(subject: ReconcileKey): void {
    const retryState = this.#retryState(subject);
    if (this.#options.clock.now() - retryState.ready > CALM) retryState.backoff.reset();
    this.#begin(retryState);
  }

  /** What was tried elsewhere just now failed: the object is looked at again after a pause. */
  retry(subject: ReconcileKey): void {
    const retryState = this.#retryState(subject);
    if (!retryState.due) retryState.ready = this.#options.clock.now() + retryState.backoff.next();
    this.#begin(retryState);
  }

  /** Begins nothing more; resolves when what is under way has ended. */
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
