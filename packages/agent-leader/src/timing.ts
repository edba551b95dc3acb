/** The durations of an election and the rules between them. */

/** Durations in milliseconds. */
export interface ElectionTiming {
  /** How long others wait after the record last changed before they take a held Lease. Whole seconds. */
  readonly leaseDuration: number;
  /** How long a leader goes on without a successful renewal, counted from the start of the last one. */
  readonly renewDeadline: number;
  /** Pause between renewals; between attempts to acquire it is stretched at random up to 2.2 times. */
  readonly retryPeriod: number;
  /** After this long a request is given up. At most `leaseDuration - renewDeadline`, so that none outlives the Lease. */
  readonly requestTimeout: number;
}

/** How far the pause between attempts to acquire is stretched: up to `retryPeriod * (1 + jitterFactor)`. */
export const jitterFactor = 1.2;

/** Those of Kubernetes' own components. Clocks may differ in rate by `leaseDuration / renewDeadline`. */
export const defaultTiming: ElectionTiming = {
  leaseDuration: 15_000,
  renewDeadline: 10_000,
  retryPeriod: 2_000,
  requestTimeout: 5_000,
};

/**
 * The timing with defaults filled in.
 * @throws RangeError when the durations cannot give one leader at a time.
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
