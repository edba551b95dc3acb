/** Virtual hosts: what a sidecar does with the requests for one port of a Service. */
import { create, route } from '@meshrelay/envoy-api';
import type { PortView, RouteActions, RouteView } from '@meshrelay/relay-core';
import { bytesName } from '../cluster/names.ts';
import { isHttp, portTransportsOf } from '../cluster/port-transport.ts';
import { duration } from '../messages.ts';
import { SOURCE_LABELS, SOURCE_NAMESPACE } from '../source-headers.ts';
import type { HeaderParts } from '../traffic/field.ts';
import { routeParts } from '../traffic/mod.ts';
import { ANY_PATH, routeMatch } from './match.ts';
import { only } from './target.ts';

/** A port as callers name it. */
export interface HostedPort {
  /** Names by which callers may call it; the first is what it is called after. */
  readonly hostnames: readonly string[];
  readonly port: PortView;
  /** Of all ports of its Service, in order. */
  readonly routes: readonly RouteView[];
  /** The cluster of requests that no route sends elsewhere. */
  readonly cluster: string;
  /** Where its bytes go that are no requests, if not to that very cluster. */
  readonly bytesCluster?: string;
}

/** Undefined for ports that carry no TCP. */
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

/** Callers leave out the number that is everybody's default. */
export function domainsOf(hostname: string, port: number): readonly string[] {
  return port === 80 ? [hostname, `${hostname}:80`] : [`${hostname}:${port}`];
}

/** Bytes come through a tunnel that the application asks for by CONNECT. */
function tunnel(cluster: string): route.Route {
  return create(route.RouteSchema, {
    match: { pathSpecifier: { case: 'connectMatcher', value: {} } },
    action: {
      case: 'route',
      value: {
        clusterSpecifier: only(cluster),
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

/** All of a route but what it matches. A request takes as long as it takes where no policy says otherwise. */
function doing(
  actions: RouteActions,
  cluster: string,
): Partial<Pick<route.Route, 'action' | 'typedPerFilterConfig'>> & Partial<HeaderParts> {
  const parts = routeParts(actions);
  const action = create(route.RouteActionSchema, {
    clusterSpecifier: only(cluster),
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
