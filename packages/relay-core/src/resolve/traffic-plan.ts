/** What the traffic policies of one destination come to: merged field by field, conflicts decided, mesh-neutral. */
import {
  type HttpMatcher,
  MAX_RELATED,
  type PolicyRef,
  type PolicyState,
  type Report,
  type TrafficFieldName,
  type TrafficPolicy,
  type TrafficRules,
  type WorkloadSelector,
} from '@meshrelay/api';
import {
  CONNECTION_FIELDS,
  type ConnectionFieldName,
  REQUEST_FIELDS,
  type RequestFieldName,
  trafficField,
} from '../fields/traffic/mod.ts';
import { canonicalJson } from '../input/canonical.ts';
import { memoize, memoizeUntilCompaction } from '../plugin/memoize.ts';
import type { NamedValueMatch, Sourced } from '../plugin/views/mod.ts';
import { actionViews, connectionView } from './action-views.ts';
import type { ClusterScope } from './authority/authority.ts';
import { formatPolicyRef } from './format-policy-ref.ts';
import { matchView } from './match-view.ts';
import type { CheckedPolicy } from './policies.ts';
import { compareRefs } from './precedence.ts';

/** Fields by name, each with the policies that set it. */
export type Fields = { readonly [F in TrafficFieldName]?: Sourced<NonNullable<TrafficRules[F]>> };

/** Who the callers are; an absent part is any. */
export interface SourceScope {
  readonly labels?: Readonly<Record<string, string>>;
  readonly namespace?: string;
  /** Decides for whom a route is written at all. */
  readonly cluster?: string;
}

/**
 * What policies say of the requests of one matcher from one scope, before they take from wider scopes what they do not set. The same policies say the
 * very same of them wherever they apply, whatever else there is: what is made of a route is made once for all destinations that have it.
 */
export interface PlannedRoute {
  /** {@link scopeId} of the two below. */
  readonly id: string;
  readonly matcher: HttpMatcher | undefined;
  readonly source: SourceScope;
  readonly fields: Fields;
}

/** What became of one policy on one destination. */
export interface Outcome {
  readonly policy: PolicyRef;
  readonly state: PolicyState;
  readonly reports: readonly Report[];
  /** True where a policy that only swept the destination in is told in passing. */
  readonly infoUnlessNamed?: boolean;
}

export interface TrafficPlan {
  /** In no order that matters; each scope and matcher once. */
  readonly routes: readonly PlannedRoute[];
  readonly connection: Fields;
  readonly outcomes: readonly Outcome[];
  /** Where policies act, for those whose reference does not tell it. */
  readonly clusterScopes: readonly ClusterScope[];
}

/**
 * Merges policies in order of precedence. Equal values merge; a policy with a second, different value for a field another holds
 * for the same requests has no effect at all.
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
  /** Every pair of one source scope and one matcher that it speaks of. */
  readonly scopes: ReadonlyArray<Omit<PlannedRoute, 'fields'>>;
  /** The fields it sets. */
  readonly route: readonly RequestFieldName[];
  readonly connection: readonly ConnectionFieldName[];
}

const settingsOf = memoizeUntilCompaction((object: TrafficPolicy): PolicySettings => {
  const { policy = {} } = object.spec;
  return {
    scopes: scopesOf(object),
    route: REQUEST_FIELDS.filter((name) => saysSomething(name, policy)),
    connection: CONNECTION_FIELDS.filter((name) => saysSomething(name, policy)),
  };
});

/** True for a policy that asks for nothing: no field is given, or none that says anything. */
export function asksForNothing(object: TrafficPolicy): boolean {
  const { route, connection } = settingsOf(object);
  return route.length + connection.length === 0;
}

/** The settings of connections that a policy asks for. */
export function connectionFieldsFor(object: TrafficPolicy): readonly ConnectionFieldName[] {
  return settingsOf(object).connection;
}

/** True for a policy that speaks of all requests of all callers, be it beside some. */
export function isForEveryRequest(object: TrafficPolicy): boolean {
  return settingsOf(object).scopes.some(({ id }) => id === EVERY_REQUEST);
}

function saysSomething(name: TrafficFieldName, policy: TrafficRules): boolean {
  const value = policy[name];
  return value !== undefined && !(trafficField(name).emptyIsUnset === true && isHollow(value));
}

/** An empty object or list, or one of nothing but such. */
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

/** The same for the same requests, however they are spelt: by other defaults, in another order, in names of headers by case. A matcher's name is a word for people. */
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

/** The scope that no request is outside of. */
export const EVERY_REQUEST: string = scopeId(undefined, {});

/** All of them must fit: which is first does not matter, nor whether one is there twice. */
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

/** Whether two values of a field come to the same, however they are written. */
export function saysTheSame(name: TrafficFieldName, one: unknown, other: unknown): boolean {
  return textOf(one) === textOf(other) || meaningOf(name, one) === meaningOf(name, other);
}

/** What a field says: the same for equal values, and made once for each, however many policies it is compared with. */
function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? textOfObject(value) : canonicalJson(value);
}

const textOfObject = memoizeUntilCompaction((value: object) => canonicalJson(value));

/** What meshes are told of a field, as text: the same for a duration, or a default, that is written otherwise. */
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
    message: `${who} was accepted earlier and sets ${name} to ${shown(winning)} for the same requests, this policy to ${shown(losing)}; make them equal, or select other requests`,
    related: from.slice(0, MAX_RELATED),
  };
}

/** Statuses are bounded, so long values are cut. */
function shown(value: unknown): string {
  const text = canonicalJson(value);
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
}

const MAX_SHOWN = 200;

function distinct(reports: readonly Report[]): Report[] {
  return [...new Map(reports.map((report) => [canonicalJson(report), report])).values()];
}

/** The routes of a policy where nobody else speaks of the same requests. */
const routesBy = memoize((policy: CheckedPolicy<TrafficPolicy>): readonly PlannedRoute[] => {
  const { scopes, route } = settingsOf(policy.object);
  const fields = withFields(NO_FIELDS, policy, route);
  return scopes.map((scope) => ({ ...scope, fields }));
});

/** A route of policies before it, with what a policy adds. */
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
