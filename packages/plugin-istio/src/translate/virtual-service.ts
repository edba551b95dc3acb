/** VirtualServices: the routes of a destination, in order. */
import {
  memoizeUntilCompaction,
  type Output,
  type PolicyRef,
  type PortView,
  type Report,
  type RouteView,
  type Sourced,
} from '@meshrelay/plugin';
import { present } from '../present.ts';
import { takesHttp, takesTcp } from './ports.ts';
import type { Reported } from './reported.ts';
import { matchesOf, namedTwice } from './route/match.ts';
import { only } from './route/target.ts';
import { actionReports, httpRouteParts, httpRoutePartsOfPort } from './traffic/mod.ts';

/** The spec for a host; `ports` is the number of ports of its Service. */
export function virtualServiceSpec(
  hostname: string,
  routes: readonly RouteView[],
  ports: number,
): Record<string, unknown> {
  const itself = targetsOf(hostname, ports > 1);
  return { hosts: [hostname], http: routes.map((route) => httpRoute(route, ports > 1, itself)) };
}

/**
 * The spec for a further host of a Service, from which requests go to `target`.
 * @param routes of the Service itself; none: all requests go to `target`
 * @param ports of the Service; TLS ports have no routes, since clients may send any SNI
 */
export function furtherHostSpec(
  { host, target }: { readonly host: string; readonly target: string },
  routes: readonly RouteView[],
  ports: readonly PortView[],
): Record<string, unknown> {
  const named = ports.length > 1;
  const itself = targetsOf(target, named);
  const plain = (port: PortView): Record<string, unknown> => ({
    ...(named ? { match: [{ port: port.number }] } : {}),
    route: itself(port.number),
  });
  const unrouted = ports.filter(
    (port) => takesHttp(port) && !routes.some((route) => route.port.number === port.number),
  );
  return present({
    hosts: [host],
    http: [...routes.map((route) => httpRoute(route, named, itself)), ...unrouted.map(plain)],
    tcp: ports.filter(takesTcp).map(plain),
  });
}

/**
 * The routes that Istio can express: a match has one entry per header or query parameter. A route with several is left
 * out and reported: without a part of its match it would match other requests too.
 */
export function routesOf(routes: readonly RouteView[], out: Output): readonly RouteView[] {
  const { supported, reported } = evaluated(routes);
  for (const { policy, report } of reported) out.report(policy, report);
  return supported;
}

/** Computed once for all destinations with the same routes. */
const evaluated = memoizeUntilCompaction(
  (routes: readonly RouteView[]): { supported: readonly RouteView[]; reported: readonly Reported[] } => {
    const writable = routes.filter(({ match }) => namedTwice(match) === undefined);
    const reported = [
      ...routes.filter((route) => !writable.includes(route)).flatMap(reportDuplicateNames),
      ...writable.flatMap(({ actions }) => actionReports(actions).flatMap(eachReport)),
    ];
    return { supported: writable.some(({ from }) => from.length > 0) ? writable : [], reported };
  },
);

function reportDuplicateNames({ match, from }: RouteView): Reported[] {
  const message = `Istio matches each header and query parameter once, and a matcher has ${namedTwice(match)} more than once; write it as one regular expression`;
  const report: Report = { code: 'UNSUPPORTED', severity: 'warning', field: 'spec.httpRequestMatchers', message };
  return from.map((policy) => ({ policy, report }));
}

function eachReport({ value: reports, from }: Sourced<readonly Report[]>): Reported[] {
  return from.flatMap((policy) => reports.map((report) => ({ policy, report })));
}

type Targets = Array<Record<string, unknown>>;

/** The host itself as the only target of a port: most routes of a host share it. */
function targetsOf(hostname: string, namePort: boolean): (port: number) => Targets {
  const known = new Map<number, Targets>();
  return (port) => {
    const targets = known.get(port) ?? only(hostname, namePort ? port : undefined);
    known.set(port, targets);
    return targets;
  };
}

function httpRoute(
  { match, port, actions }: RouteView,
  namePort: boolean,
  itself: (port: number) => Targets,
): Record<string, unknown> {
  const matches = matchesOf(match, namePort ? port.number : undefined);
  return {
    ...(matches.length === 0 ? {} : { match: matches }),
    route: itself(port.number),
    ...httpRouteParts(actions),
    ...httpRoutePartsOfPort(actions, port.number),
  };
}

/** Every policy that contributes to these routes. */
export const policiesOf: (routes: readonly RouteView[]) => readonly PolicyRef[] = memoizeUntilCompaction((routes) => [
  ...new Set(routes.flatMap(({ from }) => from)),
]);
