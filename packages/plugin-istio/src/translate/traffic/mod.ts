/** Istio's translation of every field of `spec.policy` of a TrafficPolicy. */
import {
  type CapabilityRows,
  type ConnectionFieldName,
  type ConnectionView,
  fieldsSetIn,
  memoizeUntilCompaction,
  type Report,
  type RequestFieldName,
  type RouteActions,
  type Sourced,
} from '@meshrelay/plugin';
import { connectionPool } from './connection-pool.ts';
import { corsPolicy } from './cors-policy.ts';
import { csrf } from './csrf.ts';
import { faultInjection } from './fault-injection.ts';
import type { RouteField, TrafficPolicyField } from './field.ts';
import { headerManipulation } from './header-manipulation.ts';
import { localRateLimit } from './local-rate-limit.ts';
import { mirror } from './mirror.ts';
import { mtls } from './mtls.ts';
import { outlierDetection } from './outlier-detection.ts';
import { requestTimeout } from './request-timeout.ts';
import { retries } from './retries.ts';
import { trafficShift } from './traffic-shift.ts';

/** One file per field; a field of the API that is missing here is a compile error. */
const ROUTE_FIELDS: { readonly [F in RequestFieldName]: RouteField<F> } = {
  requestTimeout,
  retries,
  faultInjection,
  corsPolicy,
  headerManipulation,
  trafficShift,
  mirror,
  csrf,
  localRateLimit,
};

/** One file per field; a field of the API that is missing here is a compile error. */
const TRAFFIC_POLICY_FIELDS: { readonly [F in ConnectionFieldName]: TrafficPolicyField<F> } = {
  mtls,
  outlierDetection,
  connectionPool,
};

export const TRAFFIC_CAPABILITIES: CapabilityRows<'route' | 'connection'> = Object.assign(
  {},
  ...[...Object.values(ROUTE_FIELDS), ...Object.values(TRAFFIC_POLICY_FIELDS)].map(({ capabilities }) => capabilities),
);

/**
 * The parts of an entry of `spec.http` that do not depend on the port: one object for all routes with the same actions.
 */
export const httpRouteParts: (actions: RouteActions) => Readonly<Record<string, unknown>> = memoizeUntilCompaction(
  (actions) => Object.assign({}, ...setFields(actions).map(([field, { value }]) => field.httpRoute?.(value))),
);

/** The parts that depend on the port that the requests were sent to. */
export function httpRoutePartsOfPort(actions: RouteActions, port: number): Readonly<Record<string, unknown>> {
  const parts = {};
  for (const [field, { value }] of setFieldsOfPort(actions)) Object.assign(parts, field.httpRouteOfPort?.(value, port));
  return parts;
}

/** Differences between the source policies of these actions and Istio's behaviour. */
export function actionReports(actions: RouteActions): ReadonlyArray<Sourced<readonly Report[]>> {
  return setFields(actions).flatMap(([field, { value, from }]) => {
    const reports = field.reports?.(value, actions) ?? [];
    return reports.length === 0 ? [] : [{ value: reports, from }];
  });
}

/** `spec.trafficPolicy` of a DestinationRule: one object for all destinations with the same settings. */
export const trafficPolicy: (view: ConnectionView) => Record<string, unknown> = memoizeUntilCompaction((view) =>
  Object.assign({}, ...setTrafficPolicyFields(view).map(([field, { value }]) => field.trafficPolicy(value))),
);

/** A field of any name. */
interface AnyRouteField {
  httpRoute?(view: unknown): Readonly<Record<string, unknown>>;
  httpRouteOfPort?(view: unknown, port: number): Readonly<Record<string, unknown>>;
  reports?(view: unknown, actions: RouteActions): readonly Report[];
}
type AnyTrafficPolicyField = { trafficPolicy(view: unknown): Readonly<Record<string, unknown>> };

const ANY_ROUTE_FIELDS = ROUTE_FIELDS as Readonly<Record<RequestFieldName, AnyRouteField>>;
const setFields = fieldsSetIn(ANY_ROUTE_FIELDS);
const setTrafficPolicyFields = fieldsSetIn(
  TRAFFIC_POLICY_FIELDS as Readonly<Record<ConnectionFieldName, AnyTrafficPolicyField>>,
);
/** Called for every route of every destination, so without the fields that do not depend on the port. */
const setFieldsOfPort = fieldsSetIn<AnyRouteField>(
  Object.fromEntries(Object.entries(ANY_ROUTE_FIELDS).filter(([, field]) => field.httpRouteOfPort !== undefined)),
);
