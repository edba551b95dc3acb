/** Every field of `spec.policy` of a TrafficPolicy, as core sees it. */
import type { TrafficFieldName, TrafficRules } from '@meshrelay/api';
import type { ConnectionFieldName, RequestFieldName } from '@meshrelay/plugin';
import { TRAFFIC_FIELDS, type TrafficCapability } from '@meshrelay/plugin/host';
import { connectionPool } from './connection-pool.ts';
import { corsPolicy } from './cors-policy.ts';
import { csrf } from './csrf.ts';
import { faultInjection } from './fault-injection.ts';
import type { NamedTarget, TrafficField } from './field.ts';
import { headerManipulation } from './header-manipulation.ts';
import { localRateLimit } from './local-rate-limit.ts';
import { mirror } from './mirror.ts';
import { mtls } from './mtls.ts';
import { outlierDetection } from './outlier-detection.ts';
import { requestTimeout } from './request-timeout.ts';
import { retries } from './retries.ts';
import { trafficShift } from './traffic-shift.ts';

/** One file for each; an API field that is missing here is a compile error. The order is that of reports. */
const TRAFFIC_FIELD_VIEWS: { readonly [F in TrafficFieldName]: TrafficField<F> } = {
  trafficShift,
  faultInjection,
  requestTimeout,
  retries,
  corsPolicy,
  mirror,
  headerManipulation,
  outlierDetection,
  connectionPool,
  mtls,
  csrf,
  localRateLimit,
};

const NAMES = Object.keys(TRAFFIC_FIELD_VIEWS) as TrafficFieldName[];

export const REQUEST_FIELDS: readonly RequestFieldName[] = NAMES.filter(
  (name): name is RequestFieldName => TRAFFIC_FIELDS[name].scope === 'requests',
);

export const CONNECTION_FIELDS: readonly ConnectionFieldName[] = NAMES.filter(
  (name): name is ConnectionFieldName => TRAFFIC_FIELDS[name].scope === 'connections',
);

/** Each capability with the path in the policy that reports name. */
export const TRAFFIC_CAPABILITIES: Readonly<Record<TrafficCapability, string>> = Object.assign(
  {},
  ...NAMES.map((name) => TRAFFIC_FIELD_VIEWS[name].capabilities),
);

/** Any one of them. */
export interface AnyTrafficField {
  readonly emptyIsUnset?: boolean;
  view?(value: unknown): unknown;
  targets?(value: unknown): readonly NamedTarget[];
  requires(view: unknown): readonly TrafficCapability[];
  reduce?(view: unknown, supports: (capability: TrafficCapability) => boolean): unknown;
}

export function trafficField(name: TrafficFieldName): AnyTrafficField {
  return TRAFFIC_FIELD_VIEWS[name] as AnyTrafficField;
}

/** The targets that the fields of a policy name. */
export function targetsOf(rules: TrafficRules): readonly NamedTarget[] {
  return NAMES.flatMap((name) => {
    const value = rules[name];
    return value === undefined ? [] : (trafficField(name).targets?.(value) ?? []);
  });
}

const BY_VIEW_NAME: ReadonlyMap<string, TrafficFieldName> = new Map(
  NAMES.map((name) => [TRAFFIC_FIELDS[name].viewName, name]),
);

/** The name in policies of the field that has this name in views; undefined for other parts of a view. */
export function policyFieldOf(viewName: string): TrafficFieldName | undefined {
  return BY_VIEW_NAME.get(viewName);
}

/** @throws RangeError for a name that no field has */
export function fieldOfView(viewName: string): AnyTrafficField {
  const name = BY_VIEW_NAME.get(viewName);
  if (name === undefined) throw new RangeError(`no field of TrafficPolicies is named ${viewName} in views`);
  return trafficField(name);
}

/** The name that a field has in views. */
export function viewNameOf(name: TrafficFieldName): string {
  return TRAFFIC_FIELDS[name].viewName;
}
