/** Every field of `spec.policy` of a TrafficPolicy, as core sees it. */
import type { TrafficFieldName, TrafficRules } from '@meshrelay/api';
import type { Intersection } from '../table.ts';
import type { Sourced } from '../views/sourced.ts';
import { connectionPool } from './connection-pool.ts';
import { corsPolicy } from './cors-policy.ts';
import { csrf } from './csrf.ts';
import { faultInjection } from './fault-injection.ts';
import type { NamedTarget } from './field.ts';
import { headerManipulation } from './header-manipulation.ts';
import { localRateLimit } from './local-rate-limit.ts';
import { mirror } from './mirror.ts';
import { mtls } from './mtls.ts';
import { outlierDetection } from './outlier-detection.ts';
import { requestTimeout } from './request-timeout.ts';
import { retries } from './retries.ts';
import { trafficShift } from './traffic-shift.ts';

interface TrafficFieldViews {
  readonly trafficShift: typeof trafficShift;
  readonly faultInjection: typeof faultInjection;
  readonly requestTimeout: typeof requestTimeout;
  readonly retries: typeof retries;
  readonly corsPolicy: typeof corsPolicy;
  readonly mirror: typeof mirror;
  readonly headerManipulation: typeof headerManipulation;
  readonly outlierDetection: typeof outlierDetection;
  readonly connectionPool: typeof connectionPool;
  readonly mtls: typeof mtls;
  readonly csrf: typeof csrf;
  readonly localRateLimit: typeof localRateLimit;
}

/** One file for each; an API field that is missing here is a compile error. The order is that of reports. */
export const TRAFFIC_FIELD_VIEWS: { readonly [F in TrafficFieldName]: TrafficFieldViews[F] } = {
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

type Views = typeof TRAFFIC_FIELD_VIEWS;
type InScope<Scope extends string> = {
  [F in TrafficFieldName]: Views[F]['scope'] extends Scope ? F : never;
}[TrafficFieldName];
type ViewsOf<F extends TrafficFieldName> = {
  readonly [Name in F as Views[Name]['viewName']]?: Sourced<TrafficViewOf<Name>>;
};

/** A field that applies to the requests that a policy matches. */
export type RequestFieldName = InScope<'requests'>;
/** A field that applies to all connections to a destination. */
export type ConnectionFieldName = InScope<'connections'>;

/** What happens to a matched request. An absent field leaves the mesh's own default. */
export type RouteActions = ViewsOf<RequestFieldName>;

/** How clients connect to a destination. An absent field leaves the mesh's own default. */
export type ConnectionView = ViewsOf<ConnectionFieldName>;

/** The value of a field as views show it. */
export type TrafficViewOf<F extends TrafficFieldName> = Parameters<Views[F]['requires']>[0];

/** The capabilities of a field. */
export type TrafficCapabilitiesOf<F extends TrafficFieldName> = Extract<
  TrafficCapability,
  keyof Views[F]['capabilities']
>;

/** Capabilities of these fields. */
export type TrafficCapability = keyof Intersection<Views[TrafficFieldName]['capabilities']>;

const NAMES = Object.keys(TRAFFIC_FIELD_VIEWS) as TrafficFieldName[];

export const REQUEST_FIELDS: readonly RequestFieldName[] = NAMES.filter(
  (name): name is RequestFieldName => TRAFFIC_FIELD_VIEWS[name].scope === 'requests',
);

export const CONNECTION_FIELDS: readonly ConnectionFieldName[] = NAMES.filter(
  (name): name is ConnectionFieldName => TRAFFIC_FIELD_VIEWS[name].scope === 'connections',
);

/** Each capability with the path in the policy that reports name. */
export const TRAFFIC_CAPABILITIES: Readonly<Record<TrafficCapability, string>> = Object.assign(
  {},
  ...NAMES.map((name) => TRAFFIC_FIELD_VIEWS[name].capabilities),
);

/** Any one of them. */
export interface AnyTrafficField {
  readonly viewName: string;
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
  NAMES.map((name) => [TRAFFIC_FIELD_VIEWS[name].viewName, name]),
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
export function viewNameOf<F extends TrafficFieldName>(name: F): Views[F]['viewName'] {
  return TRAFFIC_FIELD_VIEWS[name].viewName;
}

/**
 * The fields of a plugin's table that a view sets, each with its value there, in the order of the table.
 * @param fields by their names in policies; read once
 */
export function fieldsSetIn<Field>(
  fields: { readonly [F in TrafficFieldName]?: Field },
): (view: RouteActions | ConnectionView) => ReadonlyArray<readonly [Field, Sourced<unknown>]> {
  const named = (Object.entries(fields) as Array<[TrafficFieldName, Field]>).map(
    ([name, field]) => [viewNameOf(name), field] as const,
  );
  return (view) => {
    const settings = view as Readonly<Record<string, Sourced<unknown> | undefined>>;
    const set: Array<readonly [Field, Sourced<unknown>]> = [];
    for (const [name, field] of named) {
      const setting = settings[name];
      if (setting !== undefined) set.push([field, setting]);
    }
    return set;
  };
}
