/** Election record of a Lease, with every field present. */
import type { LeaseSpec } from './lease.ts';

/** Holder of the Lease, its start and its duration. */
export interface LeaseRecord {
  /** Empty if no replica holds the Lease. */
  readonly holder: string;
  /** Milliseconds that a holder may go without a renewal. */
  readonly duration: number;
  readonly acquireTime: string;
  readonly renewTime: string;
  /** Number of holder changes since the Lease was created. */
  readonly transitions: number;
}

/** Reads a spec that another process wrote. A missing or invalid duration becomes `defaultDuration`. */
export function readRecord(spec: LeaseSpec | undefined, defaultDuration: number): LeaseRecord {
  const seconds = spec?.leaseDurationSeconds;
  return {
    holder: spec?.holderIdentity ?? '',
    duration: seconds !== undefined && seconds > 0 ? seconds * 1000 : defaultDuration,
    acquireTime: spec?.acquireTime ?? '',
    renewTime: spec?.renewTime ?? '',
    transitions: spec?.leaseTransitions ?? 0,
  };
}

/** Converts the record to the form that the API server stores. */
export function writeRecord(record: LeaseRecord): LeaseSpec {
  return {
    holderIdentity: record.holder,
    leaseDurationSeconds: record.duration / 1000,
    acquireTime: record.acquireTime,
    renewTime: record.renewTime,
    leaseTransitions: record.transitions,
  };
}

/** Whether two records are equal. A renewal changes at least the renew time. */
export function sameRecord(a: LeaseRecord, b: LeaseRecord): boolean {
  return (
    a.holder === b.holder &&
    a.duration === b.duration &&
    a.acquireTime === b.acquireTime &&
    a.renewTime === b.renewTime &&
    a.transitions === b.transitions
  );
}

/** Formats a time of day as Kubernetes' MicroTime. */
export function microTime(time: Date): string {
  return time.toISOString().replace('Z', '000Z');
}
