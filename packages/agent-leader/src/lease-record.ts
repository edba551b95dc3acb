/** The election record of a Lease with every field present. */
import type { LeaseSpec } from './lease.ts';

/** Who holds the Lease, since when and for how long. */
export interface LeaseRecord {
  /** Empty when nobody holds it. */
  readonly holder: string;
  /** Milliseconds a holder may stay silent. */
  readonly duration: number;
  readonly acquireTime: string;
  readonly renewTime: string;
  /** How often the holder has changed since the Lease was created. */
  readonly transitions: number;
}

/** Reads a spec another process wrote; a missing or senseless duration is taken as `defaultDuration`. */
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

/** The record as the API server stores it. */
export function writeRecord(record: LeaseRecord): LeaseSpec {
  return {
    holderIdentity: record.holder,
    leaseDurationSeconds: record.duration / 1000,
    acquireTime: record.acquireTime,
    renewTime: record.renewTime,
    leaseTransitions: record.transitions,
  };
}

/** Whether two records say the same; a holder that renews changes at least the renew time. */
export function sameRecord(a: LeaseRecord, b: LeaseRecord): boolean {
  return (
    a.holder === b.holder &&
    a.duration === b.duration &&
    a.acquireTime === b.acquireTime &&
    a.renewTime === b.renewTime &&
    a.transitions === b.transitions
  );
}

/** A time of day as Kubernetes' MicroTime wants it. */
export function microTime(time: Date): string {
  return time.toISOString().replace('Z', '000Z');
}
