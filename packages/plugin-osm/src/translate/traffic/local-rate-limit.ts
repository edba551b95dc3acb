/** `rateLimit` of an UpstreamTrafficSetting. */
import type { FieldRows, RateLimitView } from '@meshrelay/relay-core';

export const LOCAL_RATE_LIMIT: FieldRows<'localRateLimit'> = {
  'route.localRateLimit': 'native',
  'route.localRateLimit.perDay': {
    unsupported: 'OSM counts requests per second, minute or hour; there is no limit until the policy does too',
  },
  'route.localRateLimit.burstBelowRate': {
    unsupported:
      'OSM lets in at once what it lets in per unit; leave the burst out, or give a lower rate per shorter unit',
  },
};

/** In a policy, `burst` is the number of requests admitted at once; in OSM, the number above the rate. */
export function rateLimit({ requestsPerUnit, unit, burst = requestsPerUnit }: RateLimitView): Record<string, unknown> {
  const overBurst = burst - requestsPerUnit;
  const http = { requests: requestsPerUnit, unit: unit.toLowerCase(), ...(overBurst > 0 ? { burst: overBurst } : {}) };
  return { local: { http } };
}
