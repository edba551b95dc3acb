/** The listener of a sidecar for requests to its application. */
import type { XdsResource } from '@meshrelay/api';
import {
  type Any,
  cluster,
  core,
  create,
  httpConnectionManager,
  listener,
  type MessageInitShape,
  route,
} from '@meshrelay/envoy-api';
import type { RouteView, WorkloadView } from '@meshrelay/plugin';
import { connectionFilters, requestFilters } from '../access/filters.ts';
import { accessFilters } from '../access/rules.ts';
import { loggersFor } from '../access-log/loggers.ts';
import { connectionParts } from '../cluster/connection.ts';
import { isHttp, type PortTransport } from '../cluster/port-transport.ts';
import { downstreamTls } from '../cluster/tls.ts';
import { address, duration } from '../messages.ts';
import { INBOUND_PORT } from '../ports.ts';
import { ANY_PATH, routeMatch } from '../route/match.ts';
import { LOCAL_RATE_LIMIT, rateLimit } from '../traffic/local-rate-limit.ts';
import { inboundWasm } from '../wasm/workload-filters.ts';
import { clusterResource, listenerResource } from '../xds-config.ts';
import { limitFilter, routerFilter } from './http-filters.ts';
import { type InboundPort, inboundPorts } from './inbound-ports.ts';
import { LOOPBACK, listenAddresses } from './listen-addresses.ts';
import { readsHandshake, readsOriginalDestination } from './listener-filters.ts';
import { bytesTo, requestsTo } from './network-filters.ts';

type ChainInit = MessageInitShape<typeof listener.FilterChainSchema>;

/** The listener with the clusters it sends to. None if no Service has a port that targets the workload. */
export function inboundResources(name: string, view: WorkloadView): readonly XdsResource[] {
  const ports = inboundPorts(view.services);
  if (ports.length === 0) return [];
  const { everywhere, loopback } = listenAddresses(view);
  const made = create(listener.ListenerSchema, {
    name,
    address: address(everywhere, INBOUND_PORT),
    trafficDirection: core.TrafficDirection.INBOUND,
    listenerFilters: [readsOriginalDestination(), readsHandshake()],
    filterChains: ports.flatMap((port) => [
      ...securedChains(port, view),
      ...(view.strictMtls ? [] : plainChains(port, view)),
    ]),
  });
  const clusters = ports.flatMap(({ number, portTransports }) =>
    portTransports.map((portTransport) => applicationCluster(number, portTransport, loopback)),
  );
  return [listenerResource(made), ...clusters.map(clusterResource)];
}

/** For callers with certificates: the SNI selects the port, and ALPN distinguishes HTTP from TCP. */
function securedChains(port: InboundPort, view: WorkloadView): ChainInit[] {
  const { number, portTransports, serverNames } = port;
  return portTransports.map((portTransport) => ({
    name: `${number} ${portTransport} mtls`,
    filterChainMatch: {
      transportProtocol: 'tls',
      serverNames: [...serverNames],
      ...(portTransports.length > 1 && isHttp(portTransport) ? { applicationProtocols: ['http/1.1', 'h2'] } : {}),
    },
    transportSocket: downstreamTls(isHttp(portTransport) ? ['h2', 'http/1.1'] : []),
    filters: filtersOf(port, portTransport, view, true),
  }));
}

/** For all other callers, whose traffic to the application's own port the pod's network redirects here. */
function plainChains(port: InboundPort, view: WorkloadView): ChainInit[] {
  const [portTransport] = port.portTransports;
  if (portTransport === undefined) return [];
  return [
    {
      name: `${port.number} ${portTransport} plain`,
      filterChainMatch: { transportProtocol: 'raw_buffer', destinationPort: port.number },
      filters: filtersOf(port, portTransport, view, false),
    },
  ];
}

function filtersOf(
  { number, access, limits }: InboundPort,
  portTransport: PortTransport,
  view: WorkloadView,
  proven: boolean,
): listener.Filter[] {
  const { globalAccess, accessLog } = view;
  const guards = accessFilters(access, { number, http: isHttp(portTransport), closed: globalAccess === 'ENABLED' });
  const target = applicationName(number, portTransport, listenAddresses(view).loopback);
  const loggers = loggersFor(accessLog)('inbound');
  const statPrefix = `inbound_${number}`;
  if (!isHttp(portTransport)) return [...connectionFilters(guards), bytesTo(target, statPrefix, loggers.connections)];
  const { HttpConnectionManager_ForwardClientCertDetails: Forward } = httpConnectionManager;
  const wasm = inboundWasm(view, number);
  return [
    requestsTo({
      statPrefix,
      routeSpecifier: { case: 'routeConfig', value: { name: target, virtualHosts: [inboundHost(target, limits)] } },
      httpFilters: [
        ...wasm.first,
        ...requestFilters(guards),
        ...wasm.middle,
        ...(limits.length === 0 ? [] : [limitFilter()]),
        ...wasm.last,
        routerFilter(),
      ],
      accessLog: loggers.requests,
      // Identities that callers claim in headers are discarded; those of their certificates are used.
      forwardClientCertDetails: proven ? Forward.SANITIZE_SET : Forward.SANITIZE,
      ...(proven ? { setCurrentClientCertDetails: { subject: true, uri: true } } : {}),
      // Rules match paths, so each path must have one spelling.
      normalizePath: true,
      mergeSlashes: true,
      upgradeConfigs: [{ upgradeType: 'websocket' }],
    }),
  ];
}

function inboundHost(target: string, limits: InboundPort['limits']): route.VirtualHost {
  const routes = limits.length === 0 ? [toApplication(target)] : limits.map((limit) => limitedRoute(target, limit));
  return create(route.VirtualHostSchema, { name: 'application', domains: ['*'], routes });
}

function toApplication(target: string): route.Route {
  return create(route.RouteSchema, {
    match: ANY_PATH,
    action: {
      case: 'route',
      value: {
        clusterSpecifier: { case: 'cluster', value: target },
        timeout: duration(0),
        upgradeConfigs: [{ upgradeType: 'websocket' }],
      },
    },
  });
}

function limitedRoute(target: string, { match, actions: { localRateLimit } }: RouteView): route.Route {
  const typedPerFilterConfig: Record<string, Any> =
    localRateLimit === undefined ? {} : { [LOCAL_RATE_LIMIT]: rateLimit(localRateLimit.value) };
  return { ...toApplication(target), match: routeMatch(match), typedPerFilterConfig };
}

/** The same for all workloads with a loopback of their own, so equal definitions may replace each other. */
function applicationName(port: number, portTransport: PortTransport, host: string): string {
  const name = `application_.${port}_.${portTransport}`;
  return host === LOOPBACK.v4 || host === LOOPBACK.v6 ? name : `${name}_.${host}`;
}

function applicationCluster(port: number, portTransport: PortTransport, host: string): cluster.Cluster {
  const name = applicationName(port, portTransport, host);
  return create(cluster.ClusterSchema, {
    name,
    clusterDiscoveryType: { case: 'type', value: cluster.Cluster_DiscoveryType.STATIC },
    ...connectionParts({}, portTransport),
    loadAssignment: {
      clusterName: name,
      endpoints: [{ lbEndpoints: [{ hostIdentifier: { case: 'endpoint', value: { address: address(host, port) } } }] }],
    },
  });
}
