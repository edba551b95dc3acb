/** Time source of the elector; tests inject a virtual one. */
import { type Clock as MonotonicClock, systemClock as monotonicClock } from '@meshrelay/concurrency';

/** Time source and sleep of an elector, which makes all decisions on its monotonic clock. */
export interface Clock extends MonotonicClock {
  /** Time of day, written into the Lease for people to read. The elector makes no decision on it. */
  wallTime(): Date;
}

/**
 * The clocks of this process. `now` does not advance while a virtual machine is suspended, so a resumed leader believes
 * that its Lease is fresh. Only a fencing term on every write protects against that.
 */
export const systemClock: Clock = {
  ...monotonicClock,
  wallTime: () => new Date(),
};
