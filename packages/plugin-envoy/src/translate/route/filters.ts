/** What filters do with the requests of one route, and their names: a filter finds its part of a route by its own name. */
import {
  type Any,
  cors as corsFilter,
  csrf as csrfFilter,
  fault as faultFilter,
  localRateLimit,
  pack,
} from '@meshrelay/envoy-api';
import {
  type CorsView,
  type CsrfView,
  type FaultView,
  type RateLimitView,
  type RouteActions,
  rememberedUntilRest,
} from '@meshrelay/relay-core';
import { duration, runtimeShare, share, stringMatcher } from '../messages.ts';

export const CORS = 'envoy.filters.http.cors';
export const CSRF = 'envoy.filters.http.csrf';
export const FAULT = 'envoy.filters.http.fault';
export const LOCAL_RATE_LIMIT = 'envoy.filters.http.local_ratelimit';

/** The parts of all filters that callers' proxies have. */
export function filterParts({ cors, csrf, fault }: RouteActions): Record<string, Any> {
  return {
    ...(cors === undefined ? {} : { [CORS]: corsPolicy(cors.value) }),
    ...(csrf === undefined ? {} : { [CSRF]: csrfPolicy(csrf.value) }),
    ...(fault === undefined ? {} : { [FAULT]: httpFault(fault.value) }),
  };
}

const corsPolicy = rememberedUntilRest(
  ({ allowOrigins, allowMethods, allowHeaders, exposeHeaders, maxAgeMs, allowCredentials }: CorsView): Any =>
    pack(corsFilter.CorsPolicySchema, {
      allowOriginStringMatch: allowOrigins.map(stringMatcher),
      allowMethods: allowMethods.join(','),
      allowHeaders: allowHeaders.join(','),
      exposeHeaders: exposeHeaders.join(','),
      ...(maxAgeMs === undefined ? {} : { maxAge: String(maxAgeMs / 1000) }),
      ...(allowCredentials === undefined ? {} : { allowCredentials }),
    }),
);

/** Envoy asks for both shares; of what is not asked for, none. */
const csrfPolicy = rememberedUntilRest(
  ({ enabled, shadow, percentage, additionalOrigins }: CsrfView): Any =>
    pack(csrfFilter.CsrfPolicySchema, {
      filterEnabled: runtimeShare(enabled ? percentage : 0),
      shadowEnabled: runtimeShare(shadow ? percentage : 0),
      additionalOrigins: additionalOrigins.map(stringMatcher),
    }),
);

/** An unset percentage means all requests. */
const httpFault = rememberedUntilRest(
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

const UNITS_MS: Readonly<Record<string, number>> = {
  SECOND: 1000,
  MINUTE: 60_000,
  HOUR: 3_600_000,
  DAY: 86_400_000,
};

/** A bucket that all threads of a proxy share. Where nothing is said of bursts, a unit's requests may come at once. */
export const rateLimit: (view: RateLimitView) => Any = rememberedUntilRest(({ requestsPerUnit, unit, burst }) =>
  pack(localRateLimit.LocalRateLimitSchema, {
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
