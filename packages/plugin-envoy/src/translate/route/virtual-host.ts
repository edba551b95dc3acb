/** Virtual hosts: a sidecar's handling of requests for one port of a Service. */
import { create, route } from '@meshrelay/envoy-api';
import type { PortView, RouteActions, RouteView } from '@meshrelay/plugin';
import { bytesName } from '../cluster/names.ts';
import { isHttp, portTransportsOf } from '../cluster/port-transport.ts';
import { duration } from '../messages.ts';
import { SOURCE_LABELS, SOURCE_NAMESPACE } from '../source-headers.ts';
import type { HeaderParts } from '../traffic/field.ts';
import { routeParts } from '../traffic/mod.ts';
import { ANY_PATH, routeMatch } from './match.ts';
import { singleCluster } from './target.ts';

/** A port as callers name it. */
export interface HostedPort {
  /** Names by which callers may call it; the first names the virtual host. */
  readonly hostnames: readonly string[];
  readonly port: PortView;
  /** Of all ports of its Service, in order. */
  readonly routes: readonly RouteView[];
  /** The cluster of requests without a matching route. */
  readonly cluster: string;
  /** The cluster of its TCP connections, if it differs. */
  readonly bytesCluster?: string;
}

/** Undefined for ports without TCP. */
export function virtualHost({
  hostnames,
  port,
  routes,
  cluster,
  bytesCluster,
}: HostedPort): route.VirtualHost | undefined {
  const portTransports = portTransportsOf(port);
  const http = portTransports.some(isHttp);
  const bytes = portTransports.includes('bytes');
  if (!http && !bytes) return undefined;
  return create(route.VirtualHostSchema, {
    name: `${hostnames[0]}:${port.number}`,
    domains: hostnames.flatMap((hostname) => domainsOf(hostname, port.number)),
    routes: [
      ...(bytes ? [tunnel(bytesCluster ?? (http ? bytesName(cluster) : cluster))] : []),
      ...(http ? requestRoutes(routes, port, cluster) : []),
    ],
    requestHeadersToRemove: [SOURCE_LABELS, SOURCE_NAMESPACE],
  });
}

/** Callers may omit the default port number. */
function domainsOf(hostname: string, port: number): readonly string[] {
  return port === 80 ? [hostname, `${hostname}:80`] : [`${hostname}:${port}`];
}

/** TCP connections come through a tunnel that the application opens with CONNECT. */
function tunnel(cluster: string): route.Route {
  return create(route.RouteSchema, {
    match: { pathSpecifier: { case: 'connectMatcher', value: {} } },
    action: {
      case: 'route',
      value: {
        clusterSpecifier: singleCluster(cluster),
        timeout: duration(0),
        upgradeConfigs: [{ upgradeType: 'CONNECT', connectConfig: {} }],
      },
    },
  });
}

function requestRoutes(routes: readonly RouteView[], port: PortView, cluster: string): route.Route[] {
  const own = routes.filter((one) => one.port.number === port.number);
  if (own.length === 0) return [create(route.RouteSchema, { match: ANY_PATH, ...doing({}, cluster) })];
  return own.map(({ match, actions }) =>
    create(route.RouteSchema, {
      ...(match.name === undefined ? {} : { name: match.name }),
      match: routeMatch(match),
      ...doing(actions, cluster),
    }),
  );
}

/** All parts of a route except its match. Without a policy, requests have no timeout. */
function doing(
  actions: RouteActions,
  cluster: string,
): Partial<Pick<route.Route, 'action' | 'typedPerFilterConfig'>> & Partial<HeaderParts> {
  const parts = routeParts(actions);
  const action = create(route.RouteActionSchema, {
    clusterSpecifier: singleCluster(cluster),
    timeout: duration(0),
    upgradeConfigs: [{ upgradeType: 'websocket' }],
    ...parts.action,
  });
  return {
    action: { case: 'route', value: action },
    typedPerFilterConfig: parts.typedPerFilterConfig,
    ...parts.headers,
  };
}
