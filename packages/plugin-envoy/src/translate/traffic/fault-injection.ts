/** The fault filter. */
import { type Any, fault as faultFilter, pack } from '@meshrelay/envoy-api';
import { type FaultView, memoizeUntilCompaction } from '@meshrelay/plugin';
import { duration, share } from '../messages.ts';
import type { RouteField } from './field.ts';

export const FAULT = 'envoy.filters.http.fault';

/** An unset percentage means all requests. */
const httpFault = memoizeUntilCompaction(
  ({ delayMs, abortStatus, percentage }: FaultView): Any =>
    pack(faultFilter.HTTPFaultSchema, {
      ...(delayMs === undefined
        ? {}
        : {
            delay: {
              faultDelaySecifier: { case: 'fixedDelay', value: duration(delayMs) },
              percentage: share(percentage),
            },
          }),
      ...(abortStatus === undefined
        ? {}
        : { abort: { errorType: { case: 'httpStatus', value: abortStatus }, percentage: share(percentage) } }),
    }),
);

export const faultInjection: RouteField<'faultInjection'> = {
  capabilities: { 'route.fault': 'native' },
  filterConfig: (view) => ({ [FAULT]: httpFault(view) }),
};
