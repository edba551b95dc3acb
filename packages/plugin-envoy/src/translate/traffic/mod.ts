/** Plain Envoy's translation of every field of `spec.policy` of a TrafficPolicy. */
import type { Any } from '@meshrelay/envoy-api';
import {
  type CapabilityRows,
  type ConnectionFieldName,
  type FieldRows,
  fieldsSetIn,
  type RequestFieldName,
  type RouteActions,
} from '@meshrelay/plugin';
import { CONNECTION_POOL } from './connection-pool.ts';
import { corsPolicy } from './cors-policy.ts';
import { csrf } from './csrf.ts';
import { faultInjection } from './fault-injection.ts';
import type { HeaderParts, RouteActionPart, RouteField } from './field.ts';
import { headerManipulation } from './header-manipulation.ts';
import { localRateLimit } from './local-rate-limit.ts';
import { mirror } from './mirror.ts';
import { MTLS } from './mtls.ts';
import { OUTLIER_DETECTION } from './outlier-detection.ts';
import { requestTimeout } from './request-timeout.ts';
import { retries } from './retries.ts';
import { trafficShift } from './traffic-shift.ts';

/** One file per field; a field of the API that is missing here is a compile error. */
const ROUTE_FIELDS: { readonly [F in RequestFieldName]: RouteField<F> } = {
  trafficShift,
  faultInjection,
  requestTimeout,
  retries,
  corsPolicy,
  mirror,
  headerManipulation,
  csrf,
  localRateLimit,
};

/** cluster/connection.ts and cluster/tls.ts combine what these fields set. */
const CONNECTION_ROWS: { readonly [F in ConnectionFieldName]: FieldRows<F> } = {
  outlierDetection: OUTLIER_DETECTION,
  connectionPool: CONNECTION_POOL,
  mtls: MTLS,
};

export const TRAFFIC_CAPABILITIES: CapabilityRows<'route' | 'connection'> = Object.assign(
  {},
  ...Object.values(ROUTE_FIELDS).map(({ capabilities }) => capabilities),
  ...Object.values(CONNECTION_ROWS),
);

/** The translation of a route's actions. */
export interface RouteParts {
  readonly action: RouteActionPart;
  readonly headers: Partial<HeaderParts>;
  readonly typedPerFilterConfig: Record<string, Any>;
}

export function routeParts(actions: RouteActions): RouteParts {
  const parts = { action: {}, headers: {}, typedPerFilterConfig: {} };
  for (const [field, setting] of setFields(actions)) {
    Object.assign(parts.action, field.routeAction?.(setting.value));
    Object.assign(parts.headers, field.headerParts?.(setting.value));
    Object.assign(parts.typedPerFilterConfig, field.filterConfig?.(setting.value));
  }
  return parts;
}

/** A field of any name. */
interface AnyRouteField {
  routeAction?(view: unknown): RouteActionPart;
  headerParts?(view: unknown): HeaderParts;
  filterConfig?(view: unknown): Readonly<Record<string, Any>>;
}

const setFields = fieldsSetIn(ROUTE_FIELDS as Readonly<Record<RequestFieldName, AnyRouteField>>);
