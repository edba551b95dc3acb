/** A destination as the proxies of its own mesh must see it. */
import type { PolicyRef } from '@meshrelay/api';
import type { DestinationView, Output, RouteView, Sourced, SubsetView } from '@meshrelay/relay-core';
import { DESTINATION_RULE, istioObject, SERVICE_ENTRY, VIRTUAL_SERVICE } from '../kinds.ts';
import { exportName, localName } from '../names.ts';
import { present } from '../present.ts';
import { namespacesSeeing, seenByAll, seenLikeService } from '../visibility.ts';
import { authorizationPolicies } from './authorization-policy.ts';
import { reportSeenByNobody, reportUnseenTargets } from './hidden-services.ts';
import { reportRefusedCallers, reportUnreachable } from './inbound-mtls.ts';
import { servicePorts } from './ports.ts';
import { connectionPolicies } from './traffic/connection-policies.ts';
import { trafficPolicy } from './traffic/mod.ts';
import { policiesOf, routesOf, virtualServiceSpec } from './virtual-service.ts';

export function translateDestination(view: DestinationView, out: Output): void {
  const { destination } = view;
  const carried = routesOf(view.routes, out);
  const callers = namespacesSeeing(destination);
  if (callers?.length === 0) reportSeenByNobody(destination, policiesForCallers(view, carried), out);
  else {
    reportUnseenTargets(carried, callers, destination.mesh, out);
    tellCallers(view, carried, seenLikeService(out, destination));
  }
  reportRefusedCallers(destination, view.connection.mtls, view.inbound, out);
  authorizationPolicies(view, out);
  exportObjects(view, seenByAll(out, destination.mesh));
}

/** Routes and connection settings, for the proxies of all who call it. */
function tellCallers(view: DestinationView, carried: readonly RouteView[], out: Output): void {
  const { destination, subsets, connection } = view;
  const { cluster, namespace, hostname } = destination;
  if (carried.length > 0) {
    const spec = virtualServiceSpec(hostname, carried, destination.ports.length);
    out.emit(cluster, istioObject(VIRTUAL_SERVICE, namespace, localName(destination), spec), policiesOf(carried));
  }
  if (!hasRule(view)) return;
  const spec = present({
    host: hostname,
    trafficPolicy: trafficPolicy(connection),
    subsets: subsets.map(realSubset),
  });
  const because = connectionPolicies(connection, subsets);
  out.emit(cluster, istioObject(DESTINATION_RULE, namespace, localName(destination), spec), because);
}

function hasRule({ virtualDestination, subsets, connection }: DestinationView): boolean {
  return virtualDestination === undefined && (subsets.length > 0 || Object.keys(connection).length > 0);
}

function policiesForCallers(view: DestinationView, carried: readonly RouteView[]): readonly PolicyRef[] {
  return [...policiesOf(carried), ...(hasRule(view) ? connectionPolicies(view.connection, []) : [])];
}

/** Lets the gateways resolve the federated name: they make a filter chain for each host they know, and for no other. */
function exportObjects({ destination, exported, subsets, inbound }: DestinationView, out: Output): void {
  if (exported !== undefined) reportUnreachable(destination, exported.virtualMesh, inbound, out);
  if (exported === undefined || exported.gatewayNamespaces.length === 0) return;
  const { cluster, namespace, workloadSelector } = destination;
  if (Object.keys(workloadSelector).length === 0) {
    out.report(exported.virtualMesh, {
      code: 'UNSUPPORTED',
      severity: 'warning',
      field: 'spec.federation',
      message: `Service ${namespace}/${destination.name} of cluster ${cluster} has no pod selector, so gateways cannot send requests on to it; give it one or do not federate it`,
    });
    return;
  }
  const because = [exported.virtualMesh];
  const entry = present({
    hosts: [exported.hostname],
    // Ports without a protocol of their own are told apart by addresses, or not at all.
    addresses: [exported.address],
    location: 'MESH_INTERNAL',
    resolution: 'STATIC',
    ports: servicePorts(destination, true),
    workloadSelector: { labels: workloadSelector },
    exportTo: exported.gatewayNamespaces.map((gateway) => (gateway === namespace ? '.' : gateway)),
  });
  out.emit(cluster, istioObject(SERVICE_ENTRY, namespace, exportName(destination), entry), because);
  if (subsets.length === 0) return;
  const rule = { host: exported.hostname, subsets: subsets.map(realSubset) };
  out.emit(cluster, istioObject(DESTINATION_RULE, namespace, exportName(destination), rule), [
    ...because,
    ...subsets.flatMap(({ from }) => from),
  ]);
}

function realSubset({ value: { name, labels } }: Sourced<SubsetView>): Record<string, unknown> {
  return { name, labels };
}
