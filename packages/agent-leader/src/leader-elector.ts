/** The election: contend for the Lease, lead while it is renewed, stop before anyone else may start. */
import { boundedLeases } from './bounded-leases.ts';
import { type Clock, systemClock } from './clock.ts';
import { aborted, deadline, unlessAborted } from './deadline.ts';
import type { LeaseClient } from './lease.ts';
import { LeaseLock, type LeaseOperation, type Outcome } from './lease-lock.ts';
import { LeaseRequestError } from './lease-request-error.ts';
import type { TermStore } from './term-store.ts';
import { type ElectionTiming, electionTiming, jitterFactor } from './timing.ts';

/** What failed: a Lease request, raising the term, or one of the callbacks. */
export type ElectionOperation = LeaseOperation | 'term' | 'onStartedLeading' | 'onStoppedLeading';

/** An elector's settings; durations are milliseconds and default to those of Kubernetes' own components. */
export interface LeaderElectorOptions extends Partial<ElectionTiming> {
  /** Access to the Lease. */
  readonly leases: LeaseClient;
  /** Name of the Lease all replicas contend for. */
  readonly name: string;
  /** Namespace of the Lease. */
  readonly namespace: string;
  /** This process start, unlike any other: see `uniqueIdentity`. */
  readonly identity: string;
  /**
   * Where the fencing term comes from. Without one the term is the Lease's count of holder changes, which starts
   * again when the Lease is deleted after every replica has forgotten it.
   */
  readonly terms?: TermStore;
  /**
   * The work only a leader does. It ends soon after `signal` aborts; until the promise settles the Lease is kept if
   * it can be, and never released. A rejection gives leadership up. Every write it makes carries `term`.
   */
  readonly onStartedLeading: (term: number, signal: AbortSignal) => Promise<void> | void;
  /** Called once per start after its work has ended, before the Lease is released; may still tear things down. */
  readonly onStoppedLeading?: () => Promise<void> | void;
  /** Called when another identity (or this one) is seen to hold the Lease. */
  readonly onNewLeader?: (identity: string) => void;
  /** Told of each failure; the elector goes on by itself. Lost races (conflicts) are failures of `create` and `update`. */
  readonly onError?: (error: unknown, operation: ElectionOperation) => void;
  /** The Lease was read or written again after failures. */
  readonly onRecovered?: () => void;
  /** Time; the system's by default. */
  readonly clock?: Clock;
  /** A number in [0, 1) that spreads the attempts; `Math.random` by default. */
  readonly random?: () => number;
}

/**
 * Contends for a Lease with the rules of Kubernetes' own components: only local clocks decide, every write is a
 * compare-and-swap, leadership is given up when it could not be renewed in time.
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
  /** Whether a request for the Lease has failed since one last succeeded. */
  #failing = false;
  /** Attempts in a row that ended since the credential was not accepted or has too few rights. */
  #denials = 0;

  /** @throws RangeError when the durations do not fit together or the identity is empty. */
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

  /** The term of the work now running; undefined while this replica does not lead. */
  get term(): number | undefined {
    return this.#term;
  }

  /**
   * Milliseconds for which nobody else can have become leader, counted from the start of the last renewal that
   * succeeded; 0 when it is too late or this replica does not lead. Look at it in the same tick as a write is sent:
   * after a pause of the process it is true before the signal could have been.
   */
  validFor(): number {
    return this.#renewedAt === undefined
      ? 0
      : Math.max(0, this.#renewedAt + this.#timing.renewDeadline - this.#clock.now());
  }

  /**
   * Contends until `signal` aborts; after leadership is lost it contends again. Resolves when the guarded work has
   * ended and the Lease was released if it was still held.
   * @throws Error when it is running already.
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

  /** Between attempts. It grows while the API server says no, which takes a person to change, and never beyond what a Lease of others costs anyway. */
  #pause(): number {
    const { retryPeriod, leaseDuration } = this.#timing;
    return Math.min(retryPeriod * 2 ** Math.max(0, this.#denials - 1), Math.max(retryPeriod, leaseDuration));
  }

  /** One stretch of leadership, from the acquired Lease until the guarded work has ended. */
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

  /** Raises the term and runs the callbacks; aborts `reign` when the work itself fails. Never rejects. */
  async #serve(leadership: AbortController, transitions: number): Promise<void> {
    const term = this.#options.terms === undefined ? transitions + 1 : await this.#raiseTerm(leadership.signal);
    if (leadership.signal.aborted) return;
    // A pause may have outlasted the Lease while the term was raised; the renewal will find out, nothing starts.
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

  /** The raised term; undefined when it could not be raised within the renew deadline. */
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

  /** Renews every retry period; true when the work has ended while the Lease was ours, false when it was lost. */
  async #keepRenewing(drained: AbortSignal): Promise<boolean> {
    for (;;) {
      await this.#clock.sleep(this.#timing.retryPeriod, drained);
      if (drained.aborted) return this.validFor() > 0;
      if (!(await this.#renewInTime(drained))) return false;
    }
  }

  /** Tries until one renewal succeeds, the work has ended or the renew deadline has passed; false if it has. */
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

/** Whether an error only says that the signal aborted. */
function isAbort(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted && (error === signal.reason || (error instanceof Error && error.name === 'AbortError'));
}
