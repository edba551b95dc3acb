/** A destination's federated name in its own cluster: gateways resolve it, and callers reach the Service by it. */

import { shortList } from '@meshrelay/api';
import type {
  DestinationFacts,
  DestinationView,
  ExportView,
  Output,
  PolicyRef,
  PortView,
  RouteView,
  Sourced,
  SubsetView,
} from '@meshrelay/plugin';
import { DESTINATION_RULE, istioObject, SERVICE_ENTRY, VIRTUAL_SERVICE } from '../kinds.ts';
import { exportName } from '../names.ts';
import { present } from '../present.ts';
import { seenByAll, seenLikeService, whoSees } from '../visibility.ts';
import { reportUnreachable } from './inbound-mtls.ts';
import { servicePorts, takesHttp, takesTcp } from './ports.ts';
import { connectionPolicies } from './traffic/connection-policies.ts';
import { furtherHostSpec, policiesOf } from './virtual-service.ts';

/** @param routes of the Service itself, which requests by its federated name follow too */
export function translateFederatedName(view: DestinationView, routes: readonly RouteView[], out: Output): void {
  const { destination, exported, inbound } = view;
  if (exported === undefined) return;
  reportUnreachable(destination, exported.virtualMesh, inbound, out);
  const namesPods = Object.keys(destination.workloadSelector).length > 0;
  if (!namesPods && exported.gatewayNamespaces.length > 0) reportWithoutSelector(view, exported, out);
  const gateways = namesPods ? exported.gatewayNamespaces : [];
  if (gateways.length === 0 && whoSees(destination).length === 0) return;
  serviceEntry(view, exported, gateways, out);
  if (gateways.length > 0 || destination.headless) subsetsOfPods(view, exported, out);
  routesForCallers(view, exported, routes, out);
}

function reportWithoutSelector(
  { destination: { cluster, namespace, name } }: DestinationView,
  { virtualMesh }: ExportView,
  out: Output,
): void {
  out.report(virtualMesh, {
    code: 'UNSUPPORTED',
    severity: 'warning',
    field: 'spec.federation',
    message: `Service ${namespace}/${name} of cluster ${cluster} has no pod selector, so gateways cannot forward requests to it; add one or do not federate it`,
  });
}

/**
 * Gateways create a filter chain for each visible host and for no other; proxies answer DNS queries for visible hosts.
 */
function serviceEntry(
  { destination }: DestinationView,
  { hostname, address, virtualMesh }: ExportView,
  gateways: readonly string[],
  out: Output,
): void {
  const { cluster, namespace, workloadSelector } = destination;
  const callers = whoSees(destination);
  const entry = present({
    hosts: [hostname],
    // Ports without a declared protocol are distinguished by address only.
    addresses: [address],
    location: 'MESH_INTERNAL',
    resolution: 'STATIC',
    ports: servicePorts(destination, true),
    workloadSelector: present({ labels: workloadSelector }),
    exportTo: callers.includes('*') ? undefined : union(callers, gateways, namespace),
  });
  const object = istioObject(SERVICE_ENTRY, namespace, exportName(destination), entry);
  seenByAll(out, destination.mesh).emit(cluster, object, [virtualMesh]);
}

function union(callers: readonly string[], gateways: readonly string[], namespace: string): readonly string[] {
  return [...new Set([...callers, ...gateways.map((name) => (name === namespace ? '.' : name))])].sort();
}

/** Subsets that the SNI of requests through gateways names, and those of a headless Service's routes. */
function subsetsOfPods(
  { destination, subsets }: DestinationView,
  { hostname, virtualMesh }: ExportView,
  out: Output,
): void {
  if (subsets.length === 0) return;
  const { cluster, namespace, mesh } = destination;
  const rule = istioObject(DESTINATION_RULE, namespace, exportName(destination), {
    host: hostname,
    subsets: subsets.map(realSubset),
  });
  seenByAll(out, mesh).emit(cluster, rule, [virtualMesh, ...subsets.flatMap(({ from }) => from)]);
}

/** The subset as a DestinationRule for pods of this cluster has it. */
export function realSubset({ value: { name, labels } }: Sourced<SubsetView>): Record<string, unknown> {
  return { name, labels };
}

/**
 * Requests go to the Service itself, so every DestinationRule for it applies to them, including users' own. Proxies
 * send requests for a headless Service to the address that the caller dialed, here that of the federated name. So its
 * requests go to the pods of the ServiceEntry.
 */
function routesForCallers(
  view: DestinationView,
  { hostname, virtualMesh }: ExportView,
  routes: readonly RouteView[],
  out: Output,
): void {
  const { destination, connection } = view;
  const { cluster, namespace, headless, ports } = destination;
  if (whoSees(destination).length === 0) return;
  const direct = ports.filter((port) => port.protocol !== 'UDP' && (headless || !(takesHttp(port) || takesTcp(port))));
  if (direct.length > 0) reportWithoutSettings(destination, direct, connectionPolicies(connection, []), out);
  const own = headless ? routes.map((route) => withTarget(route, destination.hostname, hostname)) : routes;
  const target = headless ? hostname : destination.hostname;
  const spec = furtherHostSpec({ host: hostname, target }, own, ports);
  if ((headless && routes.length === 0) || (spec['http'] === undefined && spec['tcp'] === undefined)) return;
  const object = istioObject(VIRTUAL_SERVICE, namespace, exportName(destination), spec);
  seenLikeService(out, destination).emit(cluster, object, [virtualMesh, ...policiesOf(routes)]);
}

/** The route with one host replaced by another. */
function withTarget(route: RouteView, from: string, to: string): RouteView {
  const { shift, mirror } = route.actions;
  const replaced = <T extends { readonly hostname: string }>(target: T): T =>
    target.hostname === from ? { ...target, hostname: to } : target;
  return {
    ...route,
    actions: {
      ...route.actions,
      ...(shift === undefined ? {} : { shift: { ...shift, value: shift.value.map(replaced) } }),
      ...(mirror === undefined
        ? {}
        : { mirror: { ...mirror, value: { ...mirror.value, target: replaced(mirror.value.target) } } }),
    },
  };
}

/**
 * Connections to the pods of the ServiceEntry: its DestinationRule also applies to gateways, whose connections must not
 * get these settings.
 */
function reportWithoutSettings(
  { cluster, namespace, name, headless }: DestinationFacts,
  ports: readonly PortView[],
  policies: readonly PolicyRef[],
  out: Output,
): void {
  const numbers = shortList(
    ports.map(({ number }) => String(number)),
    MAX_NAMED,
  );
  const why = headless ? 'is headless' : `uses its own TLS at port ${numbers}`;
  const message = `Service ${namespace}/${name} of cluster ${cluster} ${why}, so callers in that cluster that use its federated name connect without these settings; let them use its local name`;
  for (const policy of new Set(policies))
    out.report(policy, { code: 'UNSUPPORTED', severity: 'info', field: 'spec.policy', message });
}

/** Maximum number of ports in one report. */
const MAX_NAMED = 5;
