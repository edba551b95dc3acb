/**
 * Requests that several routes of a destination match: which routes never get any, and where an order without meaning
 * decides.
 */
import { MAX_RELATED, type PolicyRef, type Report } from '@meshrelay/api';
import { formatPolicyRef, type RouteMatchView, type Sourced } from '@meshrelay/plugin';
import { deepEqual } from '../../graph/deep-equal.ts';
import { mergeRefs } from '../../store/precedence.ts';
import { type Fields, relationOf } from '../traffic/mod.ts';
import type { RouteProblem } from './route-targets.ts';

/** A route in an ordered list: the first matching route takes a request. */
export interface OrderedRoute {
  readonly match: RouteMatchView;
  /** All effective fields of the route. */
  readonly fields: Fields;
  /** Names of the fields that policies set for this matcher; the others come from wider routes. */
  readonly own: readonly string[];
}

/** At most this many routes of a destination are compared with each other. */
export const MAX_COMPARED = 64;

/** @param ordered in the order in which proxies try them */
export function overlapProblems(ordered: readonly OrderedRoute[]): RouteProblem[] {
  const problems = ordered.slice(0, MAX_COMPARED).flatMap((later, position) => problemsOf(later, ordered, position));
  return [...problems, ...ordered.slice(MAX_COMPARED).flatMap((route) => notCompared(route, ordered.length))];
}

/**
 * Reports only the worst problem: an earlier route takes all requests, possibly takes all requests, or takes some of
 * them.
 */
function problemsOf(later: OrderedRoute, ordered: readonly OrderedRoute[], position: number): RouteProblem[] {
  let unclear: OrderedRoute | undefined;
  let crossing: OrderedRoute | undefined;
  for (let at = 0; at < position; at++) {
    const route = ordered[at] as OrderedRoute;
    const relation = relationOf(route.match, later.match);
    if (relation === 'covers' || relation === 'equal') return problem(later, route, 'DEGRADED', shadowed);
    const isIndeterminate = relation === 'unknown' && unclear === undefined;
    const crosses = relation === 'crossing' && crossing === undefined;
    if ((!isIndeterminate && !crosses) || lost(later, route).length === 0) continue;
    if (isIndeterminate) unclear = route;
    else crossing = route;
  }
  if (unclear !== undefined) return problem(later, unclear, 'ACCEPTED', notAnalysed);
  return crossing === undefined ? [] : problem(later, crossing, 'ACCEPTED', overlapping);
}

type Reported = Pick<Report, 'code' | 'severity' | 'message'>;

/**
 * Reported to the policies of the fields in which the later route differs; if both routes do the same, nothing is lost.
 */
function problem(
  later: OrderedRoute,
  earlier: OrderedRoute,
  state: RouteProblem['state'],
  describe: (which: string, first: string) => Reported,
): RouteProblem[] {
  const names = lost(later, earlier);
  const policies = mergeRefs(...names.map((name) => fieldOf(later, name)?.from ?? []));
  if (policies.length === 0) return [];
  const others = askersOf(earlier);
  const [first] = others;
  const who = first === undefined ? 'another matcher' : `the matcher of ${formatPolicyRef(first)}`;
  const { code, severity, message } = describe(shown(later.match), `${who} (${shown(earlier.match)})`);
  const related = others.slice(0, MAX_RELATED);
  const report: Report = { code, severity, field: 'spec.httpRequestMatchers', message, related };
  return [{ policies, state, report }];
}

/** The policies that set fields for the matcher of a route; fields from wider routes belong to other policies. */
function askersOf(route: OrderedRoute): readonly PolicyRef[] {
  return mergeRefs(...route.own.map((name) => fieldOf(route, name)?.from ?? []));
}

/** Fields of the later route that requests taken by the earlier route do not get. */
function lost(later: OrderedRoute, earlier: OrderedRoute): string[] {
  return later.own.filter((name) => {
    const field = fieldOf(later, name);
    return field !== undefined && !deepEqual(field.value, fieldOf(earlier, name)?.value);
  });
}

function fieldOf({ fields }: OrderedRoute, name: string): Sourced<unknown> | undefined {
  return (fields as Readonly<Record<string, Sourced<unknown>>>)[name];
}

function shadowed(which: string, first: string): Reported {
  return {
    code: 'ROUTE_SHADOWED',
    severity: 'warning',
    message: `this matcher never gets requests with ${which}: ${first} is evaluated first and matches them all; narrow that one, or make this path more specific`,
  };
}

function notAnalysed(which: string, first: string): Reported {
  return {
    code: 'OVERLAP_NOT_ANALYSED',
    severity: 'info',
    message: `${first} wins requests with ${which} that both match; whether any requests remain is unknown, as regular expressions and inverted matches are not analysed`,
  };
}

function overlapping(which: string, first: string): Reported {
  return {
    code: 'OVERLAPPING_MATCHERS',
    severity: 'info',
    message: `${first} wins requests with ${which} that both match; neither is more specific, so add a matcher for both if this is not intended`,
  };
}

function notCompared(route: OrderedRoute, count: number): RouteProblem[] {
  const policies = askersOf(route);
  if (policies.length === 0) return [];
  const message = `the destination has ${count} routes, and only the first ${MAX_COMPARED} are compared; whether this matcher gets requests with ${shown(route.match)} is not analysed`;
  const report: Report = { code: 'OVERLAP_NOT_ANALYSED', severity: 'info', field: 'spec.httpRequestMatchers', message };
  return [{ policies, state: 'ACCEPTED', report }];
}

/** A short form of a matcher. */
function shown({ uri, method, headers, queryParameters, sourceLabels, sourceNamespace }: RouteMatchView): string {
  const parts = [
    ...(uri === undefined
      ? []
      : Object.entries(uri).flatMap(([kind, text]) =>
          kind === 'ignoreCase' ? [] : `path ${kind} ${text}${uri.ignoreCase ? ' in any case' : ''}`,
        )),
    ...(method === undefined ? [] : [`method ${method}`]),
    ...headers.map(({ name }) => `header ${name}`),
    ...queryParameters.map(({ name }) => `query parameter ${name}`),
    ...(sourceLabels === undefined ? [] : ['labels of the caller']),
    ...(sourceNamespace === undefined ? [] : [`callers of namespace ${sourceNamespace}`]),
  ];
  return parts.length === 0 ? 'any path' : parts.join(', ');
}
