/** `http[].fault`. The percentage is always written: without one Istio injects no fault at all. */
import type { FaultView } from '@meshrelay/relay-core';
import { duration, percent, present } from '../../present.ts';

export function fault({ delayMs, abortStatus, percentage }: FaultView): Record<string, unknown> {
  return present({
    delay:
      delayMs === undefined ? undefined : present({ fixedDelay: duration(delayMs), percentage: percent(percentage) }),
    abort:
      abortStatus === undefined ? undefined : present({ httpStatus: abortStatus, percentage: percent(percentage) }),
  });
}
