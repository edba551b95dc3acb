/** HTTP filters that are inactive in listeners; routes configure them. */
import {
  type Any,
  cors,
  create,
  csrf,
  fault,
  httpConnectionManager,
  localRateLimit,
  pack,
  router,
} from '@meshrelay/envoy-api';
import { runtimeShare } from '../messages.ts';
import { CORS } from '../traffic/cors-policy.ts';
import { CSRF } from '../traffic/csrf.ts';
import { FAULT } from '../traffic/fault-injection.ts';
import { LOCAL_RATE_LIMIT } from '../traffic/local-rate-limit.ts';

/** In the order in which they process a request, before the router. */
export function callerFilters(): httpConnectionManager.HttpFilter[] {
  return [
    httpFilter(CORS, pack(cors.CorsSchema, {})),
    httpFilter(CSRF, pack(csrf.CsrfPolicySchema, { filterEnabled: runtimeShare(0) })),
    httpFilter(FAULT, pack(fault.HTTPFaultSchema, {})),
  ];
}

/** Without a token bucket of its own it limits nothing. */
export function limitFilter(): httpConnectionManager.HttpFilter {
  return httpFilter(LOCAL_RATE_LIMIT, pack(localRateLimit.LocalRateLimitSchema, { statPrefix: 'meshrelay' }));
}

/** The last filter. */
export function routerFilter(): httpConnectionManager.HttpFilter {
  return httpFilter('envoy.filters.http.router', pack(router.RouterSchema, {}));
}

function httpFilter(name: string, config: Any): httpConnectionManager.HttpFilter {
  return create(httpConnectionManager.HttpFilterSchema, { name, configType: { case: 'typedConfig', value: config } });
}
