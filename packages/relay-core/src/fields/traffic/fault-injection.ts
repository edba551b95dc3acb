/** spec.policy.faultInjection */
import type { FaultInjection } from '@meshrelay/api';
import { memoizeUntilCompaction } from '../../caches/memoize.ts';
import { defined, milliseconds } from '../values.ts';
import type { RequestField } from './field.ts';

export interface FaultView {
  readonly delayMs?: number;
  readonly abortStatus?: number;
  /** Percent of requests; omitted: all. */
  readonly percentage?: number;
}

export const faultInjection: RequestField<'faultInjection', 'fault', FaultView, 'route.fault'> = {
  scope: 'requests',
  viewName: 'fault',
  capabilities: { 'route.fault': 'spec.policy.faultInjection' },
  view: memoizeUntilCompaction(({ fixedDelay, abort, percentage }: FaultInjection) =>
    defined<FaultView>({ delayMs: milliseconds(fixedDelay), abortStatus: abort?.httpStatus, percentage }),
  ),
  requires: () => ['route.fault'],
};
