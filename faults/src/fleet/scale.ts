/** How long things take in a run: as in production, or shorter so that CI can have every row. */
import type { ElectionTimes } from '@meshrelay/local-fleet';

export interface Scale {
  readonly name: 'full' | 'short';
  /** Of every Lease. */
  readonly election: ElectionTimes;
  /** Milliseconds that an outage lasts which is to outlast everything that is retried soon. */
  readonly outage: number;
  /** How much longer than the figures anything may take: short runs share a machine with others. */
  readonly slack: number;
  /** How often each row is run. */
  readonly repeat: number;
}

/** As in production. */
export const FULL: Scale = {
  name: 'full',
  election: { leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2_000 },
  outage: 60_000,
  slack: 1,
  repeat: 3,
};

/** A fifth of it. */
export const SHORT: Scale = {
  name: 'short',
  election: { leaseDuration: 3_000, renewDeadline: 2_000, retryPeriod: 500 },
  outage: 6_000,
  slack: 5,
  repeat: 1,
};

/** Milliseconds from the last renewal of a leader that is gone until another must lead: observed late, waited out, retried late. */
export function failoverLimit({ leaseDuration, retryPeriod }: ElectionTimes): number {
  const jitteredRetry = 2.2 * retryPeriod;
  return leaseDuration + 2 * jitteredRetry;
}
