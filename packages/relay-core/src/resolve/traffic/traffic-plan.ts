/**
 * The traffic policies of one destination, merged field by field: conflicts are decided, and the result is
 * mesh-neutral.
 */
import {
  type HttpMatcher,
  MAX_RELATED,
  type Report,
  type TrafficFieldName,
  type TrafficPolicy,
  type TrafficRules,
  type WorkloadSelector,
} from '@meshrelay/api';
import {
  type ConnectionFieldName,
  formatPolicyRef,
  memoize,
  memoizeUntilCompaction,
  type NamedValueMatch,
  type RequestFieldName,
  type Sourced,
} from '@meshrelay/plugin';
import { CONNECTION_FIELDS, REQUEST_FIELDS, trafficField } from '../../fields/traffic/mod.ts';
import { canonicalJson } from '../../input/canonical.ts';
import { compareRefs } from '../../store/precedence.ts';
import type { CheckedPolicy, Outcome } from '../policies/mod.ts';
import type { ClusterScope } from '../workspaces/mod.ts';
import { actionViews, connectionView } from './action-views.ts';
import { matchView } from './match-view.ts';
import type { Fields, PlannedRoute, SourceScope } from './planned-route.ts';

export interface TrafficPlan {
  /** In any order; each scope and matcher once. */
  readonly routes: readonly PlannedRoute[];
  readonly connection: Fields;
  readonly outcomes: readonly Outcome[];
  /** Where policies act, for those whose reference does not determine it. */
  readonly clusterScopes: readonly ClusterScope[];
}

/**
 * Merges policies in order of precedence. Equal values merge. A policy has no effect at all if it sets a different
 * value for a field that an earlier policy set for the same requests.
 */
export function planTraffic(
  policies: ReadonlyArray<CheckedPolicy<TrafficPolicy>>,
  clusterScopes: readonly ClusterScope[] = [],
): TrafficPlan {
  const routes = new Map<string, PlannedRoute>();
  let connection = NO_FIELDS;
  const outcomes: Outcome[] = [];
  for (const policy of policies) {
    const { object, ref } = policy;
    const settings = settingsOf(object);
    const conflicts: Report[] = [];
    for (const { id } of settings.scopes) findConflicts(routes.get(id)?.fields, object, settings.route, conflicts);
    findConflicts(connection, object, settings.connection, conflicts);
    if (conflicts.length > 0) {
      outcomes.push({ policy: ref, state: 'CONFLICT', reports: distinct(conflicts) });
      continue;
    }
    if (settings.route.length > 0) {
      for (const own of routesBy(policy)) {
        const held = routes.get(own.id);
        routes.set(own.id, held === undefined ? own : withRouteOf(held)(policy));
      }
    }
    if (settings.connection.length > 0) connection = withConnectionOf(connection)(policy);
    outcomes.push(accepted(policy));
  }
  return {
    routes: [...routes.values()],
    connection,
    outcomes: outcomes.sort((a, b) => compareRefs(a.policy, b.policy)),
    clusterScopes,
  };
}

const NO_FIELDS: Fields = Object.freeze({});

/** The same wherever the policy applies. */
const accepted = memoize(({ ref }: CheckedPolicy): Outcome => ({ policy: ref, state: 'ACCEPTED', reports: [] }));

/** The settings of one policy, wherever it applies. */
interface PolicySettings {
  /** Each combination of a source scope and a matcher that it covers. */
  readonly scopes: ReadonlyArray<Omit<PlannedRoute, 'fields'>>;
  /** The fields it sets. */
  readonly route: readonly RequestFieldName[];
  readonly connection: readonly ConnectionFieldName[];
}

const settingsOf = memoizeUntilCompaction((object: TrafficPolicy): PolicySettings => {
  const { policy = {} } = object.spec;
  return {
    scopes: scopesOf(object),
    route: REQUEST_FIELDS.filter((name) => isFieldSet(name, policy)),
    connection: CONNECTION_FIELDS.filter((name) => isFieldSet(name, policy)),
  };
});

/** True for a policy without effect: it sets no field, or only empty ones. */
export function setsNoField(object: TrafficPolicy): boolean {
  const { route, connection } = settingsOf(object);
  return route.length + connection.length === 0;
}

/** The connection settings that a policy sets. */
export function connectionFieldsFor(object: TrafficPolicy): readonly ConnectionFieldName[] {
  return settingsOf(object).connection;
}

/** True for a policy that covers all requests of all callers, possibly among other scopes. */
export function isForEveryRequest(object: TrafficPolicy): boolean {
  return settingsOf(object).scopes.some(({ id }) => id === EVERY_REQUEST);
}

function isFieldSet(name: TrafficFieldName, policy: TrafficRules): boolean {
  const value = policy[name];
  return value !== undefined && !(trafficField(name).emptyIsUnset === true && isHollow(value));
}

/** An empty object or list, or one that contains only such. */
function isHollow(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.values(value).every(isHollow);
}

function scopesOf({ spec }: TrafficPolicy): PolicySettings['scopes'] {
  const matchers: ReadonlyArray<HttpMatcher | undefined> = orAny(spec.httpRequestMatchers);
  const scopes = sourcesOf(spec.sourceSelector).flatMap((source) =>
    matchers.map((matcher) => {
      const id = scopeId(matcher, source);
      return { id, matcher: id === scopeId(undefined, source) ? undefined : matcher, source };
    }),
  );
  return [...new Map(scopes.toReversed().map((scope) => [scope.id, scope])).values()];
}

const NO_MATCHER: HttpMatcher = {};

/**
 * The same id for the same requests, however the policy writes them: with other defaults, in another order, or with
 * header names in another case. A matcher's name is only documentation.
 */
export function scopeId(matcher: HttpMatcher | undefined, source: SourceScope): string {
  return idsFrom(source)(matcher ?? NO_MATCHER);
}

/** The scopes of a policy are the same objects wherever it applies. */
const idsFrom = memoizeUntilCompaction((source: SourceScope) =>
  memoize((matcher: HttpMatcher) => {
    const { uri, method, headers, queryParameters } = matchView(matcher, source);
    const folded = headers.map((one) => ({ ...one, name: one.name.toLowerCase() }));
    return canonicalJson([source, { uri, method }, inAnyOrder(folded), inAnyOrder(queryParameters)]);
  }),
);

/** The scope of all requests. */
const EVERY_REQUEST: string = scopeId(undefined, {});

/** All of them must match: neither order nor duplicates matter. */
function inAnyOrder(list: readonly NamedValueMatch[]): string[] {
  return [...new Set(list.map((one) => canonicalJson(one)))].sort();
}

function orAny<T>(list: readonly T[] | undefined): ReadonlyArray<T | undefined> {
  return list === undefined || list.length === 0 ? [undefined] : list;
}

function sourcesOf(selectors: readonly WorkloadSelector[] | undefined): SourceScope[] {
  return orAny(selectors).flatMap((selector) => {
    const { labels, namespaces, clusters } = selector?.kubeWorkloadMatcher ?? {};
    return orAny(namespaces).flatMap((namespace) =>
      orAny(clusters).map((cluster) => ({
        ...(labels === undefined || Object.keys(labels).length === 0 ? {} : { labels }),
        ...(namespace === undefined ? {} : { namespace }),
        ...(cluster === undefined ? {} : { cluster }),
      })),
    );
  });
}

function findConflicts(
  held: Fields | undefined,
  { spec }: TrafficPolicy,
  names: readonly TrafficFieldName[],
  found: Report[],
): void {
  if (held === undefined) return;
  for (const name of names) {
    const value = spec.policy?.[name];
    const holder: Sourced<unknown> | undefined = held[name];
    if (holder === undefined || saysTheSame(name, holder.value, value)) continue;
    found.push(conflict(name, holder, value));
  }
}

/** Whether two values of a field have the same meaning, however they are written. */
export function saysTheSame(name: TrafficFieldName, one: unknown, other: unknown): boolean {
  return textOf(one) === textOf(other) || meaningOf(name, one) === meaningOf(name, other);
}

/**
 * The canonical text of a field: the same for equal values, and computed once for each, however many policies are
 * compared.
 */
function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? textOfObject(value) : canonicalJson(value);
}

const textOfObject = memoizeUntilCompaction((value: object) => canonicalJson(value));

/** The field as views show it, as text: the same for a duration, or a default, that is written differently. */
function meaningOf(name: TrafficFieldName, value: unknown): string {
  // The view of these depends on the destinations that they name.
  if (trafficField(name).view === undefined) return textOf(value);
  const fields = { [name]: { value, from: [] } } as Fields;
  return canonicalJson([actionViews(fields), connectionView(fields, undefined)]);
}

function conflict(name: TrafficFieldName, { value: winning, from }: Sourced<unknown>, losing: unknown): Report {
  const [winner] = from;
  const who = winner === undefined ? 'another policy' : formatPolicyRef(winner);
  return {
    code: 'CONFLICT',
    severity: 'error',
    field: `spec.policy.${name}`,
    message: `${who} was accepted earlier and sets ${name} to ${shown(winning)} for the same requests, but this policy sets ${shown(losing)}; make them equal, or select other requests`,
    related: from.slice(0, MAX_RELATED),
  };
}

/** Statuses have a size limit, so long values are cut. */
function shown(value: unknown): string {
  const text = canonicalJson(value);
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
}

const MAX_SHOWN = 200;

function distinct(reports: readonly Report[]): Report[] {
  return [...new Map(reports.map((report) => [canonicalJson(report), report])).values()];
}

/** The routes of a policy if no other policy covers the same requests. */
const routesBy = memoize((policy: CheckedPolicy<TrafficPolicy>): readonly PlannedRoute[] => {
  const { scopes, route } = settingsOf(policy.object);
  const fields = withFields(NO_FIELDS, policy, route);
  return scopes.map((scope) => ({ ...scope, fields }));
});

/** A route of earlier policies, with the fields that a policy adds. */
const withRouteOf = memoize((held: PlannedRoute) =>
  memoize((policy: CheckedPolicy<TrafficPolicy>): PlannedRoute => {
    return { ...held, fields: withFields(held.fields, policy, settingsOf(policy.object).route) };
  }),
);

const withConnectionOf = memoize((held: Fields) =>
  memoize((policy: CheckedPolicy<TrafficPolicy>) => withFields(held, policy, settingsOf(policy.object).connection)),
);

function withFields(
  held: Fields,
  { object, ref }: CheckedPolicy<TrafficPolicy>,
  names: readonly TrafficFieldName[],
): Fields {
  const fields: Record<string, Sourced<unknown>> = { ...held };
  for (const name of names) {
    const known = fields[name];
    fields[name] =
      known === undefined
        ? { value: object.spec.policy?.[name], from: [ref] }
        : { ...known, from: [...known.from, ref] };
  }
  return fields as Fields;
}
