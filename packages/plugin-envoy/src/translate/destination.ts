/** A destination for the sidecars of its own cluster, and for the gateways that forward requests to it. */
import type { XdsProxy, XdsResource } from '@meshrelay/api';
import type { DestinationView, Output, PortView } from '@meshrelay/plugin';
import { destinationName } from '../names.ts';
import { endpointCluster } from './cluster/cluster.ts';
import { connectionParts } from './cluster/connection.ts';
import { assignmentName, clusterName, virtualClusterName } from './cluster/names.ts';
import { portClusters } from './cluster/port-clusters.ts';
import { portTransportsOf } from './cluster/port-transport.ts';
import { identitiesOf } from './cluster/tls.ts';
import { virtualHost } from './route/virtual-host.ts';
import { sourcePoliciesOf } from './source-policies.ts';
import { reportUnmanagedCluster } from './unmanaged-cluster.ts';
import { clusterResource, givenClusters, hostResource, xdsConfig } from './xds-config.ts';

export function translateDestination(view: DestinationView, out: Output): void {
  const { destination, exported, virtualMesh } = view;
  if (virtualMesh === undefined) {
    reportUnmanagedCluster(view, out);
    return;
  }
  const ports = destination.ports.filter((port) => portTransportsOf(port).length > 0);
  const gateway = passed(view, ports);
  const resources = [
    ...ports.flatMap((port) => [...ownClusters(view, port), ...hostOf(view, port)]),
    ...gateway.resources,
  ];
  if (resources.length === 0) return;
  out.emit(
    destination.cluster,
    xdsConfig(destination.mesh, destinationName(destination), { proxies: gateway.proxies, resources }),
    [virtualMesh, ...(exported === undefined ? [] : [exported.virtualMesh]), ...sourcePoliciesOf(view)],
  );
}

/** Clusters for its pods: all pods, and each subset. */
function ownClusters({ destination, connection, subsets }: DestinationView, port: PortView): XdsResource[] {
  const mode = connection.mtls?.value ?? 'MUTUAL';
  const { hostname } = destination;
  return portClusters({
    hostname,
    port,
    assignment: assignmentName(hostname, port.number, mode !== 'MUTUAL'),
    connection,
    mode,
    identities: identitiesOf(destination),
    sni: mode === 'SIMPLE' ? () => hostname : () => clusterName(hostname, port.number),
    subsets: subsets.map(({ value }) => value),
    labelled: true,
  }).map(clusterResource);
}

/** Its names: fully qualified and short within the cluster, and the federated name for other clusters. */
function hostOf({ destination, routes, exported, virtualDestination }: DestinationView, port: PortView): XdsResource[] {
  const { name, namespace, hostname } = destination;
  const own = clusterName(hostname, port.number);
  const host = virtualHost({
    hostnames: [
      hostname,
      `${name}.${namespace}.svc`,
      `${name}.${namespace}`,
      ...(exported === undefined ? [] : [exported.hostname]),
    ],
    port,
    routes,
    cluster: virtualDestination?.port === port.number ? virtualClusterName(hostname, port.number) : own,
    ...(virtualDestination?.port === port.number ? { bytesCluster: virtualClusterName(hostname, port.number) } : {}),
  });
  return host === undefined ? [] : [hostResource(host)];
}

/** Traffic that gateways forward by SNI unchanged: they have no keys to decrypt it. */
function passed(
  { exported, destination, connection, subsets }: DestinationView,
  ports: readonly PortView[],
): { readonly resources: readonly XdsResource[]; readonly proxies: readonly XdsProxy[] } {
  if (exported === undefined || exported.gatewayAccounts.length === 0) return { resources: [], proxies: [] };
  const clusters = ports.flatMap(({ number }) => {
    const assignment = assignmentName(destination.hostname, number);
    const parts = connectionParts(withoutLimits(connection), 'bytes');
    return [undefined, ...subsets.map(({ value }) => value)].map((subset) =>
      endpointCluster({
        name: clusterName(exported.hostname, number, subset?.name),
        assignment,
        connection: parts,
        ...(subset === undefined ? {} : { subset }),
      }),
    );
  });
  const names = clusters.map(({ name }) => name);
  return {
    resources: clusters.map(clusterResource),
    proxies: exported.gatewayAccounts.map(({ namespace, name }) => givenClusters(namespace, name, names)),
  };
}

/** Callers have their own limits; a gateway with the same limits would count all callers as one. */
function withoutLimits({ outlierDetection }: DestinationView['connection']): DestinationView['connection'] {
  return outlierDetection === undefined ? {} : { outlierDetection };
}
