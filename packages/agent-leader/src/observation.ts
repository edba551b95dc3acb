/** What is known of a Lease, and since when, by the local clock. */
import { type LeaseRecord, sameRecord } from './lease-record.ts';

/**
 * The last record seen and the local time it was first seen. Expiry is judged from that time alone: the times inside
 * the record come from another machine's clock.
 */
export class Observation {
  #record: LeaseRecord | undefined;
  #changedAt = Number.NEGATIVE_INFINITY;

  /** The last record seen; undefined before the first. */
  get record(): LeaseRecord | undefined {
    return this.#record;
  }

  /** Takes note of a record read or written at `now` (milliseconds, local); an equal one changes nothing. */
  see(record: LeaseRecord, now: number): void {
    if (this.#record !== undefined && sameRecord(this.#record, record)) return;
    this.#record = record;
    this.#changedAt = now;
  }

  /** Whether the record seen last has not changed for as long as it says a holder may be silent. */
  expired(now: number): boolean {
    return this.#record === undefined || this.#changedAt + this.#record.duration <= now;
  }
}
