/** `rateLimit` of an UpstreamTrafficSetting. */
import type { FieldRows, RateLimitView } from '@meshrelay/plugin';

export const LOCAL_RATE_LIMIT: FieldRows<'localRateLimit'> = {
  'route.localRateLimit': 'native',
  'route.localRateLimit.perDay': {
    unsupported:
      'OSM counts requests per second, minute or hour; no limit applies until the policy uses one of these units',
  },
  'route.localRateLimit.burstBelowRate': {
    unsupported: 'OSM allows the whole rate of a unit at once; omit the burst, or set a lower rate for a shorter unit',
  },
};

/** In a policy, `burst` is the number of requests admitted at once; in OSM, the number above the rate. */
export function rateLimit({ requestsPerUnit, unit, burst = requestsPerUnit }: RateLimitView): Record<string, unknown> {
  const overBurst = burst - requestsPerUnit;
  const http = { requests: requestsPerUnit, unit: unit.toLowerCase(), ...(overBurst > 0 ? { burst: overBurst } : {}) };
  return { local: { http } };
}
