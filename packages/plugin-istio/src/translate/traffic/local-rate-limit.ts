/** Istio has no API for rate limits per proxy. */
import type { RouteField } from './field.ts';

const REASON = 'Istio has no API of its own for local rate limits, and EnvoyFilters break with Envoy';

export const localRateLimit: RouteField<'localRateLimit'> = {
  capabilities: {
    'route.localRateLimit': { unsupported: REASON },
    'route.localRateLimit.perDay': { unsupported: REASON },
    'route.localRateLimit.burstBelowRate': { unsupported: REASON },
  },
};
