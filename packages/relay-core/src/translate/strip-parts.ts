/** The parts of views that many views share, without what a mesh cannot carry: judged once for all of them. */
import { remembered } from '../plugin/remembered.ts';
import type { AccessRuleView, ConnectionView, RouteActions, RouteView, Sourced } from '../plugin/views/mod.ts';
import { mergeRefs } from '../resolve/precedence.ts';
import { type Carrier, Judge, type Loss } from './judge.ts';
import { actionRequirements, matchRequirements, ruleRequirements } from './requirements.ts';

/** A part as the mesh carries it, the very same where it carries all of it. */
export interface Carried<T> {
  readonly part: T;
  readonly losses: readonly Loss[];
}

/** Judges a part of a view once for each mesh, however many views have it. */
function carriedBy<T extends object>(
  strip: (part: T, judge: Judge) => T,
): (carrier: Carrier) => (part: T) => Carried<T> {
  return remembered((carrier: Carrier) =>
    remembered((part: T) => {
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
  carriedBy((all, judge) => {
    const carried = all.flatMap((route) => carriedRoute(route, judge) ?? []);
    if (!carried.some(({ actions }) => Object.keys(actions).length > 0)) return NO_ROUTES;
    return carried.every((route, at) => route === all[at]) && carried.length === all.length ? all : carried;
  });

const NO_ROUTES: readonly RouteView[] = [];

function carriedRoute(route: RouteView, judge: Judge): RouteView | undefined {
  if (!judge.allows(matchRequirements(route.match), route.askedBy ?? route.from)) return undefined;
  const names = Object.keys(route.actions) as Array<keyof RouteActions>;
  const kept = names.filter((name) =>
    judge.allows(
      actionRequirements(name, route.actions),
      (route.actions[name] as Sourced<unknown> | undefined)?.from ?? [],
    ),
  );
  if (kept.length === names.length) return route;
  if (kept.length === 0) return undefined;
  const actions = Object.fromEntries(kept.map((name) => [name, route.actions[name]])) as RouteActions;
  const from = mergeRefs(...kept.map((name) => (route.actions[name] as Sourced<unknown> | undefined)?.from ?? []));
  return { ...route, actions, from };
}

export const carriedConnection: (carrier: Carrier) => (connection: ConnectionView) => Carried<ConnectionView> =
  carriedBy((view, judge) => {
    const names = Object.keys(view) as Array<keyof ConnectionView>;
    const kept = names.filter((name) => judge.allows([`connection.${name}`], view[name]?.from ?? []));
    return kept.length === names.length
      ? view
      : (Object.fromEntries(kept.map((name) => [name, view[name]])) as ConnectionView);
  });

export const carriedAccess: (
  carrier: Carrier,
) => (rules: readonly AccessRuleView[]) => Carried<readonly AccessRuleView[]> = carriedBy((rules, judge) => {
  const kept = rules.filter((rule) => judge.allows(ruleRequirements(rule), rule.from));
  return kept.length === rules.length ? rules : kept;
});
