/** The local rate limit filter, in the proxies of the destination. */
import { type Any, pack, localRateLimit as rateLimitFilter } from '@meshrelay/envoy-api';
import { memoizeUntilCompaction, type RateLimitView } from '@meshrelay/plugin';
import { duration, runtimeShare } from '../messages.ts';
import type { RouteField } from './field.ts';

export const LOCAL_RATE_LIMIT = 'envoy.filters.http.local_ratelimit';

const UNITS_MS: Readonly<Record<string, number>> = {
  SECOND: 1000,
  MINUTE: 60_000,
  HOUR: 3_600_000,
  DAY: 86_400_000,
};

/**
 * A token bucket that all threads of a proxy share. Without a burst, it admits the requests of a whole unit at once.
 */
export const rateLimit: (view: RateLimitView) => Any = memoizeUntilCompaction(({ requestsPerUnit, unit, burst }) =>
  pack(rateLimitFilter.LocalRateLimitSchema, {
    statPrefix: 'meshrelay',
    tokenBucket: {
      maxTokens: Math.max(burst ?? requestsPerUnit, 1),
      tokensPerFill: Math.max(requestsPerUnit, 1),
      fillInterval: duration(UNITS_MS[unit] ?? 1000),
    },
    filterEnabled: runtimeShare(),
    filterEnforced: runtimeShare(),
  }),
);

/** The listeners of the destination read it; callers' proxies do not. */
export const localRateLimit: RouteField<'localRateLimit'> = {
  capabilities: {
    'route.localRateLimit': 'native',
    'route.localRateLimit.perDay': 'native',
    'route.localRateLimit.burstBelowRate': 'native',
  },
};
