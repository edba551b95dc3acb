/** `http[].fault`. The percentage is always written: without one Istio injects no fault. */
import type { FaultView, Report } from '@meshrelay/plugin';
import { duration, percent, present } from '../../present.ts';
import type { RouteField } from './field.ts';

export const faultInjection: RouteField<'faultInjection'> = {
  capabilities: { 'route.fault': 'native' },
  httpRoute: (view) => present({ fault: fault(view) }),
  reports: (_view, { timeoutMs, retries }) =>
    timeoutMs === undefined && retries === undefined ? [] : [FAULT_BEFORE_RETRIES],
};

function fault({ delayMs, abortStatus, percentage }: FaultView): Record<string, unknown> {
  return present({
    delay:
      delayMs === undefined ? undefined : present({ fixedDelay: duration(delayMs), percentage: percent(percentage) }),
    abort:
      abortStatus === undefined ? undefined : present({ httpStatus: abortStatus, percentage: percent(percentage) }),
  });
}

/** Proxies inject a fault before they route the request. */
const FAULT_BEFORE_RETRIES: Report = {
  code: 'FAULT_BEFORE_RETRIES',
  severity: 'info',
  field: 'spec.policy.faultInjection',
  message:
    "Istio injects a fault before it routes the request, so a delay does not count towards the route's timeout, and an abort is not retried",
};
