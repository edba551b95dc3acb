/**
 * HTTPRoutes of a Service: one for each route, since Linkerd reads timeouts and retries from the annotations of a whole
 * HTTPRoute.
 */
import {
  type DestinationFacts,
  type DestinationView,
  type HeaderManipulationView,
  type NativeObject,
  type Output,
  objectName,
  type PolicyRef,
  type ResourceKind,
  type RouteTarget,
  type RouteView,
} from '@meshrelay/plugin';
import { duration } from './duration.ts';
import { type HttpRouteMatch, httpRouteMatch, obstacleTo } from './matches.ts';
import { mayOvertake } from './order.ts';
import { retryAnnotations, unknownConditions } from './retries.ts';

export const HTTP_ROUTE: ResourceKind = {
  group: 'gateway.networking.k8s.io',
  version: 'v1',
  kind: 'HTTPRoute',
  plural: 'httproutes',
  namespaced: true,
};

/** A route that HTTPRoute can express. */
interface Expressed {
  readonly route: RouteView;
  readonly match: HttpRouteMatch;
}

export function translateDestination({ destination, routes }: DestinationView, out: Output): void {
  const expressed = routes.flatMap((route): Expressed[] => {
    const obstacle = obstacleTo(route.match) ?? obstacleToShift(destination, route);
    if (obstacle === undefined) return [{ route, match: httpRouteMatch(route.match) }];
    report(out, route.requestedBy ?? route.from, 'UNSUPPORTED', 'spec', obstacle);
    return [];
  });
  const byPort = Map.groupBy(expressed, ({ route }) => route.port.number);
  for (const [port, own] of byPort) {
    const policies = own.flatMap(({ route }) => route.from);
    if (policies.length === 0) continue;
    own.forEach((one, position) => {
      reportOvertaken(own, position, out);
      // The route for all other requests has no policy of its own: the others make it necessary.
      const from = one.route.from.length > 0 ? one.route.from : policies;
      out.emit(destination.cluster, httpRoute(destination, one, position, out), from);
    });
    // Linkerd answers 404 to requests that no route of the port matches.
    if (own.every(({ match }) => Object.keys(match).length > 0))
      out.emit(destination.cluster, allOthers(destination, port, own.length), policies);
  }
}

/** Later routes that the Gateway API prefers, for requests that match both. */
function reportOvertaken(routes: readonly Expressed[], position: number, out: Output): void {
  const [one, ...later] = routes.slice(position);
  if (one === undefined || !later.some(({ match }) => mayOvertake(one.match, match))) return;
  report(
    out,
    one.route.requestedBy ?? one.route.from,
    'ORDER_NOT_KEPT',
    'spec.httpRequestMatchers',
    'Linkerd prefers the more specific match, so requests that also match another policy of the Service may get the settings of that policy; make the matches exclude each other, such as by an exact path or a method',
  );
}

/** Requests for a Service of another namespace would need its consent, a ReferenceGrant. */
function obstacleToShift({ namespace, name }: DestinationFacts, { actions }: RouteView): string | undefined {
  const other = (actions.shift?.value ?? []).map(serviceOf).find((service) => service.namespace !== namespace);
  if (other === undefined) return undefined;
  return `requests for Service ${namespace}/${name} cannot be sent to ${other.namespace}/${other.name}: HTTPRoutes of Services send within a namespace; create a Service for it in ${namespace}`;
}

function httpRoute(
  destination: DestinationFacts,
  { route, match }: Expressed,
  position: number,
  out: Output,
): NativeObject {
  const { timeoutMs, retries, headers, shift } = route.actions;
  const unknown = retries === undefined ? [] : unknownConditions(retries.value);
  if (retries !== undefined && unknown.length > 0)
    report(
      out,
      retries.from,
      'UNSUPPORTED',
      'spec.policy.retries.retryOn',
      `Linkerd retries by the status of a response only, and not on ${unknown.join(', ')}; use 5xx, gateway-error or status codes`,
    );
  const annotations = {
    ...(timeoutMs === undefined ? {} : { 'timeout.linkerd.io/request': duration(timeoutMs.value) }),
    ...(retries === undefined ? {} : retryAnnotations(retries.value)),
  };
  const filters = headers === undefined ? [] : headerFilters(headers.value);
  const rule = {
    ...(Object.keys(match).length === 0 ? {} : { matches: [match] }),
    ...(filters.length === 0 ? {} : { filters }),
    backendRefs: shift === undefined ? [itself(destination, route.port.number)] : shift.value.map(backend),
  };
  return object(destination, route.port.number, position, annotations, rule);
}

function allOthers(destination: DestinationFacts, port: number, position: number): NativeObject {
  return object(destination, port, position, {}, { backendRefs: [itself(destination, port)] });
}

/** Names end with the position: of equal matches, the Gateway API prefers the first by name. */
function object(
  { namespace, name }: DestinationFacts,
  port: number,
  position: number,
  annotations: Readonly<Record<string, string>>,
  rule: object,
): NativeObject {
  return {
    apiVersion: `${HTTP_ROUTE.group}/${HTTP_ROUTE.version}`,
    kind: HTTP_ROUTE.kind,
    metadata: {
      name: objectName('meshrelay', [name, String(port), String(position).padStart(4, '0')]),
      namespace,
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    },
    spec: { parentRefs: [{ group: '', kind: 'Service', name, port }], rules: [rule] },
  };
}

function itself({ name }: DestinationFacts, port: number): object {
  return { name, port };
}

function backend(target: RouteTarget): object {
  return { name: serviceOf(target).name, port: target.port, weight: target.weight };
}

/** A target in the destination's own cluster has its local name: `<service>.<namespace>.svc.<cluster domain>`. */
function serviceOf({ hostname }: RouteTarget): { readonly name: string; readonly namespace: string } {
  const [name = '', namespace = ''] = hostname.split('.', 2);
  return { name, namespace };
}

function headerFilters({ requestAdd, requestRemove, responseAdd, responseRemove }: HeaderManipulationView): object[] {
  const request = modifier(requestAdd, requestRemove);
  const response = modifier(responseAdd, responseRemove);
  return [
    ...(request === undefined ? [] : [{ type: 'RequestHeaderModifier', requestHeaderModifier: request }]),
    ...(response === undefined ? [] : [{ type: 'ResponseHeaderModifier', responseHeaderModifier: response }]),
  ];
}

function modifier(add: Readonly<Record<string, string>>, remove: readonly string[]): object | undefined {
  const added = Object.entries(add).map(([name, value]) => ({ name, value }));
  if (added.length === 0 && remove.length === 0) return undefined;
  return { ...(added.length === 0 ? {} : { add: added }), ...(remove.length === 0 ? {} : { remove }) };
}

function report(out: Output, policies: readonly PolicyRef[], code: string, field: string, message: string): void {
  for (const policy of policies) out.report(policy, { code, severity: 'warning', field, message });
}
