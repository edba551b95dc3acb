/** Durations of a run: as in production, or shorter so that CI can run every row. */
import type { ElectionTimes } from '@meshrelay/local-fleet';

export interface Scale {
  readonly name: 'full' | 'short';
  /** Of every Lease. */
  readonly election: ElectionTimes;
  /** Milliseconds of an outage that must outlast everything that is retried soon. */
  readonly outage: number;
  /** Factor on the promised times: short runs share a machine with other work. */
  readonly slack: number;
  /** Number of runs of each row. */
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

/**
 * Milliseconds from the last renewal of a lost leader until another must lead: late observation, Lease duration, late
 * retry.
 */
export function failoverLimit({ leaseDuration, retryPeriod }: ElectionTimes): number {
  const jitteredRetry = 2.2 * retryPeriod;
  return leaseDuration + 2 * jitteredRetry;
}
