/** The parts of views that many views share, without what a mesh cannot carry: judged once for all of them. */
import { type Report, shortList } from '@meshrelay/api';
import { exclusionsOf, ruleRequirements, sourceRequirements } from '../fields/access.ts';
import { logRequirements } from '../fields/access-log.ts';
import { matchRequirements } from '../fields/match.ts';
import { type AnyTrafficField, fieldOfView } from '../fields/traffic/mod.ts';
import { wasmRequirements } from '../fields/wasm.ts';
import { memoize, memoizeUntilCompaction } from '../plugin/memoize.ts';
import type {
  AccessLogRuleView,
  AccessRuleView,
  ConnectionView,
  RouteActions,
  RouteView,
  Sourced,
  WasmFilterView,
} from '../plugin/views/mod.ts';
import { mergeRefs } from '../resolve/precedence.ts';
import { type Carrier, Judge, type Loss } from './judge.ts';
import { withoutDenied } from './without-denied.ts';

/** A part as the mesh carries it, the very same where it carries all of it. */
export interface Carried<T> {
  readonly part: T;
  readonly losses: readonly Loss[];
}

/** Judges a part of a view once for each mesh, however many views have it. */
function carriedBy<T extends object, Left = T>(
  strip: (part: T, judge: Judge) => Left,
): (carrier: Carrier) => (part: T) => Carried<Left> {
  return memoizeUntilCompaction((carrier: Carrier) =>
    memoize((part: T) => {
      const judge = new Judge(carrier);
      return { part: strip(part, judge), losses: judge.losses };
    }),
  );
}

/**
 * The routes that can be carried. One that loses all it was to do is no route: it would only keep requests from the next one that
 * matches. Where none is left that does anything, none is needed to take the rest.
 */
export const carriedRoutes: (carrier: Carrier) => (routes: readonly RouteView[]) => Carried<readonly RouteView[]> =
  memoizeUntilCompaction((carrier: Carrier) => {
    const carriedRoute = carriedRouteBy(carrier);
    return memoize((all: readonly RouteView[]): Carried<readonly RouteView[]> => {
      const each = all.map(carriedRoute);
      const losses = each.flatMap((one) => one.losses);
      const kept = each.flatMap(({ part }) => part ?? []);
      if (!kept.some(({ actions }) => Object.keys(actions).length > 0)) return { part: NO_ROUTES, losses };
      return { part: each.every(({ part }, at) => part === all[at]) ? all : kept, losses };
    });
  });

const NO_ROUTES: readonly RouteView[] = [];

/** Many lists have the same route. */
const carriedRouteBy = carriedBy<RouteView, RouteView | undefined>((route, judge) => {
  if (!judge.allows(matchRequirements(route.match), route.requestedBy ?? route.from)) return undefined;
  const actions = carriedSettings(route.actions, judge);
  if (actions === route.actions) return route;
  const kept: readonly Sourced<unknown>[] = Object.values(actions);
  return kept.length === 0 ? undefined : { ...route, actions, from: mergeRefs(...kept.map(({ from }) => from)) };
});

export const carriedConnection: (carrier: Carrier) => (connection: ConnectionView) => Carried<ConnectionView> =
  carriedBy(carriedSettings);

/** Fields of TrafficPolicies by their names in views, without what the mesh does not support; the same object where it supports all. */
function carriedSettings<Settings extends RouteActions | ConnectionView>(settings: Settings, judge: Judge): Settings {
  const kept: Record<string, Sourced<unknown>> = {};
  let isWhole = true;
  for (const [name, setting] of Object.entries<Sourced<unknown>>(
    settings as object as Record<string, Sourced<unknown>>,
  )) {
    const left = carriedSetting(fieldOfView(name), setting, judge);
    if (left !== setting) isWhole = false;
    if (left !== undefined) kept[name] = left;
  }
  return isWhole ? settings : (kept as Settings);
}

function carriedSetting(field: AnyTrafficField, setting: Sourced<unknown>, judge: Judge): Sourced<unknown> | undefined {
  const carried = judge.allows(field.requires(setting.value), setting.from);
  const value =
    field.reduce === undefined
      ? setting.value
      : field.reduce(setting.value, (capability) => judge.allows([capability], setting.from));
  if (!carried || value === undefined) return undefined;
  return value === setting.value ? setting : { ...setting, value };
}

/**
 * The access rules that can be carried, never letting in more than all of them together: of an ALLOW that cannot be carried one of nobody is left, so that what it
 * closed stays closed, and what a DENY refuses that cannot be carried is taken out of the ALLOWs.
 */
export const carriedAccess: (
  carrier: Carrier,
) => (rules: readonly AccessRuleView[]) => Carried<readonly AccessRuleView[]> = carriedBy((rules, judge) => {
  const dropped: AccessRuleView[] = [];
  const kept = rules.flatMap((rule): readonly AccessRuleView[] => {
    const carried = judge.allows(ruleRequirements(rule), rule.from, { 'access.exclusions': exclusionsOf(rule) });
    if (!carried && rule.action === 'DENY') dropped.push(rule);
    // Who a DENY is about that is not carried matters no more: that much is taken out of the ALLOWs.
    if (!carried && rule.action !== 'ALLOW') return [];
    const { sources, lost } = carriedSources(rule, judge);
    if (!carried) return judge.supports('access.allow') ? [{ ...NOBODY, from: rule.from }] : [];
    if (lost.length === 0) return [rule];
    if (rule.action === 'DENY') dropped.push({ ...rule, sources: { kind: 'principals', principals: lost } });
    return rule.action === 'ALLOW' || sources.length > 0
      ? [{ ...rule, sources: { kind: 'principals', principals: sources } }]
      : [];
  });
  if (kept.length === rules.length && kept.every((rule, at) => rule === rules[at])) return rules;
  return dropped.reduce<readonly AccessRuleView[]>((left, deny) => withoutDeniedBy(deny, left, judge), kept);
});

/** The callers of a rule that can be told, and those that cannot. */
function carriedSources({ sources, from }: AccessRuleView, judge: Judge): { sources: string[]; lost: string[] } {
  const principals = sources.kind === 'principals' ? sources.principals : [];
  const wanted = new Set(principals.flatMap(sourceRequirements));
  const carried = new Set([...wanted].filter((field) => judge.allows([field], from)));
  const can = (principal: string) => sourceRequirements(principal).every((field) => carried.has(field));
  return { sources: principals.filter(can), lost: principals.filter((one) => !can(one)) };
}

/** What of the wishes for entries can be carried: whole wishes, or without the names that an entry cannot have there. */
export const carriedAccessLog: (
  carrier: Carrier,
) => (rules: readonly AccessLogRuleView[]) => Carried<readonly AccessLogRuleView[]> = carriedBy((rules, judge) => {
  const kept = rules.flatMap((rule) => {
    const carried = judge.allows(logRequirements(rule), rule.from);
    const lost = LOGGED_NAMES.filter(
      (names) => rule[names].length > 0 && !judge.allows([`accessLog.${names}`], rule.from),
    );
    if (!carried) return [];
    return [lost.length === 0 ? rule : { ...rule, ...Object.fromEntries(lost.map((names) => [names, []])) }];
  });
  return kept.length === rules.length && kept.every((rule, at) => rule === rules[at]) ? rules : kept;
});

const LOGGED_NAMES = ['requestHeaders', 'responseHeaders', 'responseTrailers', 'filterState'] as const;

/** The modules that can be carried. */
export const carriedWasm: (
  carrier: Carrier,
) => (filters: readonly WasmFilterView[]) => Carried<readonly WasmFilterView[]> = carriedBy((filters, judge) => {
  const kept = filters.filter((filter) => judge.allows(wasmRequirements(filter), filter.from));
  return kept.length === filters.length ? filters : kept;
});

const NOBODY: Omit<AccessRuleView, 'from'> = {
  action: 'ALLOW',
  sources: { kind: 'principals', principals: [] },
  paths: [],
  methods: [],
  ports: [],
  notPaths: [],
  notMethods: [],
  notPorts: [],
};

function withoutDeniedBy(
  deny: AccessRuleView,
  rules: readonly AccessRuleView[],
  judge: Judge,
): readonly AccessRuleView[] {
  return rules.flatMap((rule) => {
    if (rule.action !== 'ALLOW') return [rule];
    const { rules: left, denied, closed } = withoutDenied(rule, deny);
    if (denied.length > 0) judge.tell(rule, 'ACCEPTED', allowNarrowed(denied, deny));
    if (closed.length > 0) for (const one of [rule, deny]) judge.tell(one, 'DEGRADED', allowClosed(closed, rule, deny));
    return left;
  });
}

function allowNarrowed(callers: readonly string[], deny: AccessRuleView): Report {
  return {
    code: 'ALLOW_NARROWED',
    severity: 'info',
    field: 'spec.sourceSelector',
    message: `the mesh cannot refuse by a rule what another lets in, so what ${policiesText(deny)} denies is not allowed in the first place: ${shortList(callers, MAX_NAMED)}`,
    related: deny.from,
  };
}

function allowClosed(callers: readonly string[], allow: AccessRuleView, deny: AccessRuleView): Report {
  return {
    code: 'ALLOW_CLOSED',
    severity: 'error',
    field: 'spec.sourceSelector',
    message: `the mesh cannot refuse by a rule what another lets in, and what ${policiesText(deny)} leaves of what ${policiesText(allow)} allows cannot be said without it, so these callers are not let in at all by that: ${shortList(callers, MAX_NAMED)}; allow by ServiceAccount, path and method exactly what is not denied`,
    related: [...allow.from, ...deny.from],
  };
}

function policiesText({ from }: AccessRuleView): string {
  return from.map(({ kind, namespace, name }) => `${kind} ${namespace}/${name}`).join(', ');
}

const MAX_NAMED = 20;
