/** VirtualServices: the routes of a destination, in order. */
import type { PolicyRef } from '@meshrelay/api';
import type { RouteView } from '@meshrelay/relay-core';
import { duration, present } from '../present.ts';
import { cors } from './route/cors.ts';
import { fault } from './route/fault.ts';
import { headers } from './route/headers.ts';
import { matchOf } from './route/match.ts';
import { retries } from './route/retries.ts';
import { mirrors, only, weighted } from './route/target.ts';

/** The spec for a host; `ports` is how many ports its Service has. */
export function virtualServiceSpec(
  hostname: string,
  routes: readonly RouteView[],
  ports: number,
): Record<string, unknown> {
  return { hosts: [hostname], http: routes.map((route) => httpRoute(route, ports > 1)) };
}

function httpRoute({ match, port, actions, self }: RouteView, namePort: boolean): Record<string, unknown> {
  const matched = matchOf(match, namePort ? port.number : undefined);
  return present({
    match: matched === undefined ? undefined : [matched],
    route: actions.shift === undefined ? only(self) : weighted(actions.shift.value),
    timeout: actions.timeoutMs === undefined ? undefined : duration(actions.timeoutMs.value),
    retries: actions.retries === undefined ? undefined : retries(actions.retries.value),
    fault: actions.fault === undefined ? undefined : fault(actions.fault.value),
    corsPolicy: actions.cors === undefined ? undefined : cors(actions.cors.value),
    headers: actions.headers === undefined ? undefined : headers(actions.headers.value),
    mirrors: actions.mirror === undefined ? undefined : mirrors(actions.mirror.value),
  });
}

/** Every policy with a part in these routes. */
export function policiesOf(routes: readonly RouteView[]): PolicyRef[] {
  const found = new Map(routes.flatMap(({ from }) => from).map((ref) => [JSON.stringify(ref), ref]));
  return [...found.values()];
}
