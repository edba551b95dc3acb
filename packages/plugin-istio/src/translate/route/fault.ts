/** `http[].fault`. An unset percentage stays unset, which Istio takes for all requests. */
import type { FaultView } from '@meshrelay/relay-core';
import { duration, present } from '../../present.ts';

export function fault({ delayMs, abortStatus, percentage }: FaultView): Record<string, unknown> {
  const share = percentage === undefined ? undefined : { value: percentage };
  return present({
    delay: delayMs === undefined ? undefined : present({ fixedDelay: duration(delayMs), percentage: share }),
    abort: abortStatus === undefined ? undefined : present({ httpStatus: abortStatus, percentage: share }),
  });
}
