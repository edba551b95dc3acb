/** Durations of an election, and the rules between them. */

/** Durations in milliseconds. */
export interface ElectionTiming {
  /** Time after the last change of the record before other replicas take a held Lease. Whole seconds. */
  readonly leaseDuration: number;
  /** Time that a leader continues without a successful renewal, counted from the start of the last one. */
  readonly renewDeadline: number;
  /** Pause between renewals. Between attempts to acquire, a random factor up to 2.2 stretches it. */
  readonly retryPeriod: number;
  /** Timeout of a request. At most `leaseDuration - renewDeadline`, so no request outlives the Lease. */
  readonly requestTimeout: number;
}

/** Stretch of the pause between attempts to acquire: up to `retryPeriod * (1 + jitterFactor)`. */
export const jitterFactor = 1.2;

/** Durations of Kubernetes' own components. Clock rates may differ by `leaseDuration / renewDeadline`. */
export const defaultTiming: ElectionTiming = {
  leaseDuration: 15_000,
  renewDeadline: 10_000,
  retryPeriod: 2_000,
  requestTimeout: 5_000,
};

/**
 * Fills in the defaults.
 * @throws RangeError if the durations cannot guarantee a single leader.
 */
export function electionTiming(given: Partial<ElectionTiming> = {}): ElectionTiming {
  const leaseDuration = given.leaseDuration ?? defaultTiming.leaseDuration;
  const renewDeadline = given.renewDeadline ?? defaultTiming.renewDeadline;
  const retryPeriod = given.retryPeriod ?? defaultTiming.retryPeriod;
  const requestTimeout = given.requestTimeout ?? leaseDuration - renewDeadline;
  const require = (holds: boolean, rule: string): void => {
    if (holds) return;
    const values = JSON.stringify({ leaseDuration, renewDeadline, retryPeriod, requestTimeout });
    throw new RangeError(`election timing: ${rule}, got ${values} (milliseconds); change the one that is wrong`);
  };
  require(Number.isInteger(leaseDuration / 1000), 'leaseDuration must be whole seconds');
  require(retryPeriod > 0, 'retryPeriod must be more than 0');
  require(renewDeadline > retryPeriod * jitterFactor, `renewDeadline must be more than ${jitterFactor} retryPeriod`);
  require(leaseDuration > renewDeadline, 'leaseDuration must be more than renewDeadline');
  require(requestTimeout > 0, 'requestTimeout must be more than 0');
  require(requestTimeout <=
    leaseDuration - renewDeadline, 'requestTimeout must be at most leaseDuration - renewDeadline');
  return { leaseDuration, renewDeadline, retryPeriod, requestTimeout };
}
