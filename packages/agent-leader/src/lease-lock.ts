/** Attempts of one replica on the Lease: acquire, renew, release. Each takes a few API calls. */
import type { Clock } from './clock.ts';
import type { Lease, LeaseClient } from './lease.ts';
import { type LeaseRecord, microTime, readRecord, writeRecord } from './lease-record.ts';
import { Observation } from './observation.ts';
import type { ElectionTiming } from './timing.ts';

/** Result of an attempt. `since` is the local time at which the successful request was sent. */
export type Outcome =
  | { readonly kind: 'held'; readonly since: number; readonly transitions: number }
  | { readonly kind: 'refused'; readonly holder: string }
  | { readonly kind: 'failed' };

/** The request that failed. */
export type LeaseOperation = 'get' | 'create' | 'update';

export interface LeaseLockOptions {
  readonly leases: LeaseClient;
  readonly name: string;
  readonly namespace: string;
  readonly identity: string;
  readonly timing: ElectionTiming;
  readonly clock: Clock;
  readonly onError: (error: unknown, operation: LeaseOperation) => void;
}

const failed: Outcome = { kind: 'failed' };

/** The Lease as one identity reads and writes it. Its methods never reject. Callers must not call them concurrently. */
export class LeaseLock {
  readonly observation: Observation;
  readonly #options: LeaseLockOptions;
  /** The object last read or written. The next update uses its resourceVersion as precondition. */
  #lease: Lease | undefined;
  /**
   * Whether this process has ever written itself into the Lease. If not, another process wrote a record with this
   * identity.
   */
  #requested: boolean;

  constructor(options: LeaseLockOptions, seen: { observation?: Observation; requested?: boolean } = {}) {
    this.#options = options;
    this.observation = seen.observation ?? new Observation();
    this.#requested = seen.requested ?? false;
  }

  /** Acquires the Lease if it is free, expired or held by this process. */
  async acquire(signal: AbortSignal): Promise<Outcome> {
    if (!(await this.#read(signal))) return failed;
    const { record } = this.observation;
    if (record !== undefined && this.#heldByOther(record)) return { kind: 'refused', holder: record.holder };
    const mine = record !== undefined && this.#mine(record);
    return this.#write(signal, {
      ...this.#freshRecord(),
      ...(mine && { acquireTime: record.acquireTime }),
      transitions: record === undefined ? 0 : record.transitions + (mine ? 0 : 1),
    });
  }

  /**
   * Extends the Lease while leading. Sends one update on the last version; only if that fails, reads the Lease and
   * updates again. Gives up if the read shows any other holder or none, because another replica may have led in
   * between.
   */
  async renew(signal: AbortSignal): Promise<Outcome> {
    const known = this.observation.record;
    if (this.#lease !== undefined && known !== undefined && !this.observation.expired(this.#now())) {
      const outcome = await this.#write(signal, this.#renewed(known));
      if (outcome.kind === 'held' || signal.aborted) return outcome;
    }
    if (!(await this.#read(signal))) return failed;
    const { record } = this.observation;
    if (record === undefined || !this.#mine(record)) return { kind: 'refused', holder: record?.holder ?? '' };
    return this.#write(signal, this.#renewed(record));
  }

  /**
   * Releases the Lease if this process still holds it, so another replica can acquire it at once. Keeps the
   * transitions.
   */
  async release(signal: AbortSignal): Promise<Outcome> {
    for (const reread of [false, true]) {
      if (reread && !(await this.#read(signal))) return failed;
      const { record } = this.observation;
      if (record === undefined || this.#lease === undefined) return failed;
      if (!this.#mine(record)) return { kind: 'refused', holder: record.holder };
      const outcome = await this.#write(signal, {
        ...this.#freshRecord(),
        holder: '',
        duration: 1000,
        transitions: record.transitions,
      });
      if (outcome.kind === 'held') return outcome;
    }
    return failed;
  }

  /** Reads the Lease into the observation. If the Lease is deleted, the last record remains valid until it expires. */
  async #read(signal: AbortSignal): Promise<boolean> {
    const { leases, namespace, name, timing } = this.#options;
    try {
      this.#lease = await leases.get(namespace, name, signal);
      if (this.#lease !== undefined) {
        this.observation.see(readRecord(this.#lease.spec, timing.leaseDuration), this.#now());
      }
      return true;
    } catch (error) {
      this.#options.onError(error, 'get');
      return false;
    }
  }

  /** Writes a record over the version last read. Creates the Lease if the last read found none. */
  async #write(signal: AbortSignal, record: LeaseRecord): Promise<Outcome> {
    const { leases, namespace, name, onError } = this.#options;
    const since = this.#now();
    const existing = this.#lease;
    this.#requested = true;
    try {
      const spec = writeRecord(record);
      this.#lease =
        existing === undefined
          ? await leases.create({ metadata: { name, namespace }, spec }, signal)
          : await leases.update({ ...existing, spec: { ...existing.spec, ...spec } }, signal);
      this.observation.see(record, this.#now());
      return { kind: 'held', since, transitions: record.transitions };
    } catch (error) {
      onError(error, existing === undefined ? 'create' : 'update');
      return failed;
    }
  }

  #freshRecord(): LeaseRecord {
    const time = microTime(this.#options.clock.wallTime());
    const { identity, timing } = this.#options;
    return { holder: identity, duration: timing.leaseDuration, acquireTime: time, renewTime: time, transitions: 0 };
  }

  #renewed(record: LeaseRecord): LeaseRecord {
    return { ...this.#freshRecord(), acquireTime: record.acquireTime, transitions: record.transitions };
  }

  #mine(record: LeaseRecord): boolean {
    return this.#requested && record.holder === this.#options.identity;
  }

  #heldByOther(record: LeaseRecord): boolean {
    return record.holder !== '' && !this.#mine(record) && !this.observation.expired(this.#now());
  }

  #now(): number {
    return this.#options.clock.now();
  }
}
