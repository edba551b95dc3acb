/** spec.policy.faultInjection */

import type { FaultInjection } from '@meshrelay/api';
import { type FaultView, memoizeUntilCompaction } from '@meshrelay/plugin';
import { defined, milliseconds } from '../values.ts';
import type { TrafficField } from './field.ts';

export const faultInjection: TrafficField<'faultInjection'> = {
  capabilities: { 'route.fault': 'spec.policy.faultInjection' },
  view: memoizeUntilCompaction(({ fixedDelay, abort, percentage }: FaultInjection) =>
    defined<FaultView>({ delayMs: milliseconds(fixedDelay), abortStatus: abort?.httpStatus, percentage }),
  ),
  requires: () => ['route.fault'],
};
