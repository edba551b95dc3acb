/** Leader election: acquire the Lease, lead while it is renewed, stop before another replica may start. */

import { aborted } from '@meshrelay/concurrency';
import { boundedLeases } from './bounded-leases.ts';
import { type Clock, systemClock } from './clock.ts';
import { deadline, unlessAborted } from './deadline.ts';
import type { LeaseClient } from './lease.ts';
import { LeaseLock, type LeaseOperation, type Outcome } from './lease-lock.ts';
import { LeaseRequestError } from './lease-request-error.ts';
import type { TermStore } from './term-store.ts';
import { type ElectionTiming, electionTiming, jitterFactor } from './timing.ts';

/** The operation that failed: a Lease request, raising the term, or a callback. */
export type ElectionOperation = LeaseOperation | 'term' | 'onStartedLeading' | 'onStoppedLeading';

/** Settings of an elector. Durations are milliseconds and default to those of Kubernetes' own components. */
export interface LeaderElectorOptions extends Partial<ElectionTiming> {
  /** Lease client. */
  readonly leases: LeaseClient;
  /** Name of the Lease for which all replicas contend. */
  readonly name: string;
  readonly namespace: string;
  /** Unique identity of this process start: see `uniqueIdentity`. */
  readonly identity: string;
  /**
   * Source of the fencing term. Without it, the term is the Lease's count of holder changes. That count starts again
   * when the Lease is deleted after every replica has lost its record of it.
   */
  readonly terms?: TermStore;
  /**
   * Work that only the leader does. It must end soon after `signal` aborts. Until the promise settles, the elector
   * renews the Lease if it can, and never releases it. A rejection gives up leadership. Every write of the work must
   * contain `term`.
   */
  readonly onStartedLeading: (term: number, signal: AbortSignal) => Promise<void> | void;
  /** Called once per start, after its work has ended and before the Lease is released. It may still clean up. */
  readonly onStoppedLeading?: () => Promise<void> | void;
  /** Called when the Lease has a new holder, including this replica. */
  readonly onNewLeader?: (identity: string) => void;
  /** Called for each failure; the elector continues. Lost races (conflicts) are failures of `create` and `update`. */
  readonly onError?: (error: unknown, operation: ElectionOperation) => void;
  /** Called when a Lease request succeeds after failures. */
  readonly onRecovered?: () => void;
  /** Time source; by default the system clock. */
  readonly clock?: Clock;
  /** Returns a number in [0, 1) that spreads the attempts; `Math.random` by default. */
  readonly random?: () => number;
}

/**
 * Contends for a Lease by the rules of Kubernetes' own components. Only local clocks decide, every write is a
 * compare-and-swap, and a leader that cannot renew in time gives up leadership.
 */
export class LeaderElector {
  readonly #options: LeaderElectorOptions;
  readonly #timing: ElectionTiming;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #lock: LeaseLock;
  #renewedAt: number | undefined;
  #term: number | undefined;
  #reportedLeader = '';
  #running = false;
  /** Whether a request for the Lease has failed since the last success. */
  #failing = false;
  /** Consecutive attempts that failed because the credential was rejected or lacks permissions. */
  #denials = 0;

  /** @throws RangeError if the durations are inconsistent or the identity is empty. */
  constructor(options: LeaderElectorOptions) {
    if (options.identity === '') {
      throw new RangeError(`Lease ${options.namespace}/${options.name}: identity is empty; give a unique one`);
    }
    this.#options = options;
    this.#timing = electionTiming(options);
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
    this.#lock = new LeaseLock({
      leases: boundedLeases(options.leases, this.#clock, this.#timing.requestTimeout),
      name: options.name,
      namespace: options.namespace,
      identity: options.identity,
      timing: this.#timing,
      clock: this.#clock,
      onError: (error, operation) => this.#report(error, operation),
    });
  }

  /** Term of the running work; undefined while this replica does not lead. */
  get term(): number | undefined {
    return this.#term;
  }

  /**
   * Milliseconds during which no other replica can become leader, counted from the start of the last successful
   * renewal. Returns 0 when that time is over or this replica does not lead. Check it in the same tick in which a write
   * is sent: after a pause of the process, it is correct before the signal aborts.
   */
  validFor(): number {
    return this.#renewedAt === undefined
      ? 0
      : Math.max(0, this.#renewedAt + this.#timing.renewDeadline - this.#clock.now());
  }

  /**
   * Contends until `signal` aborts, and again after leadership is lost. Resolves when the work has ended and a Lease
   * that was still held is released.
   * @throws Error if it is already running.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { namespace, name } = this.#options;
    if (this.#running) throw new Error(`Lease ${namespace}/${name}: this elector runs already; make another`);
    this.#running = true;
    try {
      while (!signal.aborted) {
        const outcome = await this.#lock.acquire(signal);
        this.#reportLeader();
        this.#reportOutcome(outcome);
        if (outcome.kind === 'held') await this.#leadership(signal, outcome);
        await this.#clock.sleep(this.#pause() * (1 + jitterFactor * this.#random()), signal);
      }
    } finally {
      this.#running = false;
    }
  }

  /**
   * Pause between attempts. It grows while the API server denies access, since a person must change that. It never
   * exceeds the wait that a Lease held by another replica requires.
   */
  #pause(): number {
    const { retryPeriod, leaseDuration } = this.#timing;
    return Math.min(retryPeriod * 2 ** Math.max(0, this.#denials - 1), Math.max(retryPeriod, leaseDuration));
  }

  /** One term of leadership, from the acquired Lease until the work has ended. */
  async #leadership(signal: AbortSignal, acquired: Outcome & { kind: 'held' }): Promise<void> {
    this.#renewedAt = acquired.since;
    const leadership = new AbortController();
    const cancel = (): void => leadership.abort(signal.reason);
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel, { once: true });
    const drained = new AbortController();
    const work = this.#serve(leadership, acquired.transitions).finally(() => drained.abort());
    const retained = await this.#keepRenewing(drained.signal);
    if (!retained) {
      const { namespace, name } = this.#options;
      leadership.abort(new Error(`Lease ${namespace}/${name}: not renewed in time or taken by another holder`));
    }
    await work;
    signal.removeEventListener('abort', cancel);
    if (retained) await this.#lock.release(new AbortController().signal);
    this.#renewedAt = undefined;
    this.#reportLeader();
  }

  /** Raises the term and runs the callbacks. Aborts `leadership` if the work itself fails. Never rejects. */
  async #serve(leadership: AbortController, transitions: number): Promise<void> {
    const term = this.#options.terms === undefined ? transitions + 1 : await this.#raiseTerm(leadership.signal);
    if (leadership.signal.aborted) return;
    // A pause may have outlasted the Lease while the term was raised. The renewal detects that; the work does not
    // start.
    if (term === undefined || this.validFor() === 0) return leadership.abort();
    this.#term = term;
    try {
      await this.#options.onStartedLeading(term, leadership.signal);
      await aborted(leadership.signal);
    } catch (error) {
      if (!isAbort(error, leadership.signal)) this.#report(error, 'onStartedLeading');
      leadership.abort(error);
    }
    try {
      await this.#options.onStoppedLeading?.();
    } catch (error) {
      this.#report(error, 'onStoppedLeading');
    }
    this.#term = undefined;
  }

  /** Returns the raised term, or undefined if it could not be raised within the renew deadline. */
  async #raiseTerm(signal: AbortSignal): Promise<number | undefined> {
    const limit = deadline(this.#clock, this.#timing.renewDeadline, signal);
    try {
      while (!limit.signal.aborted) {
        try {
          return await unlessAborted(limit.signal, (this.#options.terms as TermStore).raise(limit.signal));
        } catch (error) {
          if (!isAbort(error, signal)) this.#report(error, 'term');
          await this.#clock.sleep(this.#timing.retryPeriod, limit.signal);
        }
      }
      return undefined;
    } finally {
      limit.clear();
    }
  }

  /**
   * Renews every retry period. Returns true if the work ended while this replica held the Lease, false if the Lease was
   * lost.
   */
  async #keepRenewing(drained: AbortSignal): Promise<boolean> {
    for (;;) {
      await this.#clock.sleep(this.#timing.retryPeriod, drained);
      if (drained.aborted) return this.validFor() > 0;
      if (!(await this.#renewInTime(drained))) return false;
    }
  }

  /**
   * Retries until a renewal succeeds, the work has ended or the renew deadline has passed. Returns false in the last
   * case.
   */
  async #renewInTime(drained: AbortSignal): Promise<boolean> {
    while (this.validFor() > 0) {
      const limit = deadline(this.#clock, this.validFor());
      const outcome = await this.#lock.renew(limit.signal);
      limit.clear();
      this.#reportLeader();
      this.#reportOutcome(outcome);
      if (outcome.kind === 'refused') return false;
      if (outcome.kind === 'held') {
        this.#renewedAt = outcome.since;
        return this.validFor() > 0;
      }
      await this.#clock.sleep(Math.min(this.#timing.retryPeriod, this.validFor()), drained);
      if (drained.aborted) return this.validFor() > 0;
    }
    return false;
  }

  #reportLeader(): void {
    const holder = this.#lock.observation.record?.holder ?? '';
    if (holder === this.#reportedLeader) return;
    this.#reportedLeader = holder;
    if (holder !== '') this.#options.onNewLeader?.(holder);
  }

  #reportOutcome({ kind }: Outcome): void {
    if (kind === 'failed') {
      this.#failing = true;
      return;
    }
    this.#denials = 0;
    if (!this.#failing) return;
    this.#failing = false;
    this.#options.onRecovered?.();
  }

  #report(error: unknown, operation: ElectionOperation): void {
    if (error instanceof LeaseRequestError && error.isDenied) this.#denials++;
    this.#options.onError?.(error, operation);
  }
}

/** Whether an error only reports that the signal aborted. */
function isAbort(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted && (error === signal.reason || (error instanceof Error && error.name === 'AbortError'));
}
