/** Last observed state of a Lease, with the local time of its last change. */
import { type LeaseRecord, sameRecord } from './lease-record.ts';

/**
 * The last record observed, and the local time at which it was first observed. Expiry depends on that time alone: the
 * times inside the record come from another machine's clock.
 */
export class Observation {
  #record: LeaseRecord | undefined;
  #changedAt = Number.NEGATIVE_INFINITY;

  /** The last record observed; undefined before the first. */
  get record(): LeaseRecord | undefined {
    return this.#record;
  }

  /** Stores a record read or written at `now` (milliseconds, local clock). An equal record changes nothing. */
  see(record: LeaseRecord, now: number): void {
    if (this.#record !== undefined && sameRecord(this.#record, record)) return;
    this.#record = record;
    this.#changedAt = now;
  }

  /** Whether the last record has not changed for the duration that it grants its holder. */
  expired(now: number): boolean {
    return this.#record === undefined || this.#changedAt + this.#record.duration <= now;
  }
}
