/** Parts that many views share, without what a mesh does not support: each part is checked once for all of them. */
import { type Report, shortList } from '@meshrelay/api';
import {
  type AccessLogRuleView,
  type AccessRuleView,
  type ConnectionView,
  memoize,
  memoizeUntilCompaction,
  type RouteActions,
  type RouteView,
  type Sourced,
  type WasmFilterView,
} from '@meshrelay/plugin';
import { accessRequirements, CLOSED_RULE } from '../fields/access/mod.ts';
import { sourceRequirements } from '../fields/access/source-selector.ts';
import { accessLogRequirements, reducedLogRule } from '../fields/access-log/mod.ts';
import { matchRequirements } from '../fields/match.ts';
import { type AnyTrafficField, fieldOfView } from '../fields/traffic/mod.ts';
import { wasmRequirements } from '../fields/wasm/mod.ts';
import { mergeRefs } from '../store/precedence.ts';
import { CapabilityChecker, type PluginCapabilities, type UnsupportedField } from './capability-checker.ts';
import { withoutDenied } from './without-denied.ts';

/** A part as the mesh supports it; the same object if the mesh supports all of it. */
export interface Supported<T> {
  readonly part: T;
  readonly rejected: readonly UnsupportedField[];
}

/** Checks a part of a view once per mesh, however many views contain it. */
function supportedBy<T extends object, Left = T>(
  strip: (part: T, checker: CapabilityChecker) => Left,
): (capabilities: PluginCapabilities) => (part: T) => Supported<Left> {
  return memoizeUntilCompaction((capabilities: PluginCapabilities) =>
    memoize((part: T) => {
      const checker = new CapabilityChecker(capabilities);
      return { part: strip(part, checker), rejected: checker.rejected };
    }),
  );
}

/**
 * The supported routes. A route that loses all its actions is dropped: it would only keep requests from the next
 * matching route. If no remaining route has an action, the catch-all route is not needed either.
 */
export const supportedRoutes: (
  capabilities: PluginCapabilities,
) => (routes: readonly RouteView[]) => Supported<readonly RouteView[]> = memoizeUntilCompaction(
  (capabilities: PluginCapabilities) => {
    const supportedRoute = supportedRouteBy(capabilities);
    return memoize((all: readonly RouteView[]): Supported<readonly RouteView[]> => {
      const each = all.map(supportedRoute);
      const rejected = each.flatMap((one) => one.rejected);
      const remaining = each.flatMap(({ part }) => part ?? []);
      if (!remaining.some(({ actions }) => Object.keys(actions).length > 0)) return { part: NO_ROUTES, rejected };
      return { part: each.every(({ part }, at) => part === all[at]) ? all : remaining, rejected };
    });
  },
);

const NO_ROUTES: readonly RouteView[] = [];

/** Many lists contain the same route. */
const supportedRouteBy = supportedBy<RouteView, RouteView | undefined>((route, checker) => {
  if (!checker.check(matchRequirements(route.match), route.requestedBy ?? route.from)) return undefined;
  const actions = supportedSettings(route.actions, checker);
  if (actions === route.actions) return route;
  const remaining: readonly Sourced<unknown>[] = Object.values(actions);
  return remaining.length === 0
    ? undefined
    : { ...route, actions, from: mergeRefs(...remaining.map(({ from }) => from)) };
});

export const supportedConnection: (
  capabilities: PluginCapabilities,
) => (connection: ConnectionView) => Supported<ConnectionView> = supportedBy(supportedSettings);

/**
 * Fields of TrafficPolicies by their names in views, without what the mesh does not support; the same object if it
 * supports all.
 */
function supportedSettings<Settings extends RouteActions | ConnectionView>(
  settings: Settings,
  checker: CapabilityChecker,
): Settings {
  const remaining: Record<string, Sourced<unknown>> = {};
  let isWhole = true;
  for (const [name, setting] of Object.entries<Sourced<unknown>>(
    settings as object as Record<string, Sourced<unknown>>,
  )) {
    const left = supportedSetting(fieldOfView(name), setting, checker);
    if (left !== setting) isWhole = false;
    if (left !== undefined) remaining[name] = left;
  }
  return isWhole ? settings : (remaining as object as Settings);
}

function supportedSetting(
  field: AnyTrafficField,
  setting: Sourced<unknown>,
  checker: CapabilityChecker,
): Sourced<unknown> | undefined {
  const supported = checker.check(field.requires(setting.value), setting.from);
  const value =
    field.reduce === undefined
      ? setting.value
      : field.reduce(setting.value, (capability) => checker.check([capability], setting.from));
  if (!supported || value === undefined) return undefined;
  return value === setting.value ? setting : { ...setting, value };
}

/**
 * The supported access rules; together they never admit more than all rules would.
 * An unsupported ALLOW is replaced by one without callers, so that what it closed stays closed. What an unsupported
 * DENY rejects is removed from the ALLOWs.
 */
export const supportedAccess: (
  capabilities: PluginCapabilities,
) => (rules: readonly AccessRuleView[]) => Supported<readonly AccessRuleView[]> = supportedBy((rules, checker) => {
  const dropped: AccessRuleView[] = [];
  const remaining = rules.flatMap((rule): readonly AccessRuleView[] => {
    const supported = checker.meets(accessRequirements(rule), rule.from);
    if (!supported && rule.action === 'DENY') dropped.push(rule);
    // The callers of an unsupported DENY need no check: its requests are removed from the ALLOWs.
    if (!supported && rule.action !== 'ALLOW') return [];
    const { sources, lost } = supportedSources(rule, checker);
    if (!supported) return checker.supports('access.allow') ? [{ ...CLOSED_RULE, from: rule.from }] : [];
    if (lost.length === 0) return [rule];
    if (rule.action === 'DENY') dropped.push({ ...rule, sources: { kind: 'principals', principals: lost } });
    return rule.action === 'ALLOW' || sources.length > 0
      ? [{ ...rule, sources: { kind: 'principals', principals: sources } }]
      : [];
  });
  if (remaining.length === rules.length && remaining.every((rule, at) => rule === rules[at])) return rules;
  return dropped.reduce<readonly AccessRuleView[]>((left, deny) => withoutDeniedBy(deny, left, checker), remaining);
});

/** The callers of a rule that the mesh can identify, and those that it cannot. */
function supportedSources(
  { sources, from }: AccessRuleView,
  checker: CapabilityChecker,
): { sources: string[]; lost: string[] } {
  const principals = sources.kind === 'principals' ? sources.principals : [];
  const required = new Set(principals.flatMap(sourceRequirements));
  const supported = new Set([...required].filter((field) => checker.check([field], from)));
  const can = (principal: string) => sourceRequirements(principal).every((field) => supported.has(field));
  return { sources: principals.filter(can), lost: principals.filter((one) => !can(one)) };
}

/**
 * The supported part of the requested log entries: whole requests, or requests without the fields that an entry cannot
 * have there.
 */
export const supportedAccessLog: (
  capabilities: PluginCapabilities,
) => (rules: readonly AccessLogRuleView[]) => Supported<readonly AccessLogRuleView[]> = supportedBy(
  (rules, checker) => {
    const remaining = rules.flatMap((rule) => {
      const supported = checker.meets(accessLogRequirements(rule), rule.from);
      const left = reducedLogRule(rule, (capability) => checker.check([capability], rule.from));
      return supported ? [left] : [];
    });
    return remaining.length === rules.length && remaining.every((rule, at) => rule === rules[at]) ? rules : remaining;
  },
);

/** The supported Wasm filters. */
export const supportedWasm: (
  capabilities: PluginCapabilities,
) => (filters: readonly WasmFilterView[]) => Supported<readonly WasmFilterView[]> = supportedBy((filters, checker) => {
  const remaining = filters.filter((filter) => checker.meets(wasmRequirements(filter), filter.from));
  return remaining.length === filters.length ? filters : remaining;
});

function withoutDeniedBy(
  deny: AccessRuleView,
  rules: readonly AccessRuleView[],
  checker: CapabilityChecker,
): readonly AccessRuleView[] {
  return rules.flatMap((rule) => {
    if (rule.action !== 'ALLOW') return [rule];
    const { rules: left, denied, closed } = withoutDenied(rule, deny);
    if (denied.length > 0) checker.report(rule, 'ACCEPTED', allowNarrowed(denied, deny));
    if (closed.length > 0)
      for (const one of [rule, deny]) checker.report(one, 'DEGRADED', allowClosed(closed, rule, deny));
    return left;
  });
}

function allowNarrowed(callers: readonly string[], deny: AccessRuleView): Report {
  return {
    code: 'ALLOW_NARROWED',
    severity: 'info',
    field: 'spec.sourceSelector',
    message: `the mesh has no deny rules, so what ${policiesText(deny)} denies is removed from the allow rules: ${shortList(callers, MAX_NAMED)}`,
    related: deny.from,
  };
}

function allowClosed(callers: readonly string[], allow: AccessRuleView, deny: AccessRuleView): Report {
  return {
    code: 'ALLOW_CLOSED',
    severity: 'error',
    field: 'spec.sourceSelector',
    message: `the mesh has no deny rules, and no allow rule can express what ${policiesText(deny)} leaves of ${policiesText(allow)}, so it allows these callers nothing: ${shortList(callers, MAX_NAMED)}; allow by ServiceAccount, path and method exactly what is not denied`,
    related: [...allow.from, ...deny.from],
  };
}

function policiesText({ from }: AccessRuleView): string {
  return from.map(({ kind, namespace, name }) => `${kind} ${namespace}/${name}`).join(', ');
}

const MAX_NAMED = 20;
