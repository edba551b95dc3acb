/** A virtual destination for the sidecars of one cluster, and for the gateways that forward requests to it. */

import type { XdsProxy, XdsResource } from '@meshrelay/api';
import type { cluster } from '@meshrelay/envoy-api';
import {
  type CapabilityRows,
  type ConnectionView,
  type Output,
  type PortView,
  portToDial,
  rowsOf,
  type VirtualDestinationFieldName,
  type VirtualDestinationRows,
  type VirtualDestinationView,
  type VirtualEndpointGroup,
} from '@meshrelay/plugin';
import { virtualName } from '../names.ts';
import { endpointCluster, failoverCluster } from './cluster/cluster.ts';
import { connectionParts } from './cluster/connection.ts';
import { assignmentName, clusterName, virtualClusterName } from './cluster/names.ts';
import { type PortTransport, portTransportsOf } from './cluster/port-transport.ts';
import { type Identity, identitiesOf } from './cluster/tls.ts';
import { assignment } from './endpoints/assignment.ts';
import { withAddresses } from './endpoints.ts';
import { virtualHost } from './route/virtual-host.ts';
import { sourcePoliciesOf } from './source-policies.ts';
import { assignmentResource, clusterResource, givenClusters, hostResource, xdsConfig } from './xds-config.ts';

/** The rows of each field; a field of the API that is missing here is a compile error. */
const ROWS: { readonly [F in VirtualDestinationFieldName]: { readonly capabilities: VirtualDestinationRows<F> } } = {
  hostname: { capabilities: { 'virtualDestination.sameHostname': 'native' } },
  static: { capabilities: { 'virtualDestination.static': 'native' } },
  localized: {
    capabilities: {
      'virtualDestination.localized': 'native',
      'virtualDestination.localized.directives': {
        unsupported:
          'all Envoys of a cluster share one order of backend clusters, whatever their locality; set the order with spec.static',
      },
    },
  },
  // Every mesh with virtual destinations supports ports, and core finds the meshes that get the name.
  port: { capabilities: {} },
  virtualMesh: { capabilities: {} },
  meshList: { capabilities: {} },
};

export const VIRTUAL_DESTINATION_CAPABILITIES: CapabilityRows<'virtualDestination'> = rowsOf(ROWS);

export function translateVirtualDestination(view: VirtualDestinationView, out: Output): void {
  const { consumer, hostname, port, virtualDestination, sameHostname } = view;
  const name = virtualClusterName(hostname, port.number);
  const ordered = inOrder(view);
  const members = ordered.map((group, level) => member(group, `${name}|${level}`, view, out));
  const gatewayHostname = passed(view);
  const hosts = ownHost(view) ? [] : virtualHostOf(view, name);
  const resources = [
    clusterResource(
      failoverCluster(
        name,
        members.map(({ made }) => made.name),
      ),
    ),
    ...members.flatMap(({ made, endpointMultiplicity }) => [clusterResource(made), ...endpointMultiplicity]),
    ...hosts,
    ...gatewayHostname.resources,
  ];
  out.emit(
    consumer.cluster,
    xdsConfig(consumer, virtualName(virtualDestination), { resources, proxies: gatewayHostname.proxies }),
    [virtualDestination, ...sourcePoliciesOf({ routes: [], connection: sameHostname?.connection ?? {}, subsets: [] })],
  );
  reportOverruled(view, out);
}

/** Best first: as ordered, or the caller's own cluster before all others. */
function inOrder({ groups, failover }: VirtualDestinationView): readonly VirtualEndpointGroup[] {
  return failover.kind === 'static' ? groups : [...groups].sort((a, b) => Number(b.local) - Number(a.local));
}

/** Whether a Service's own host has the port, whose requests then go to the virtual destination. */
function ownHost({ sameHostname, groups, port }: VirtualDestinationView): boolean {
  const local = groups.find((group) => group.local);
  return sameHostname !== undefined && (local?.destination.ports ?? []).some(({ number }) => number === port.number);
}

function portOf({ port: { number, protocol } }: VirtualDestinationView): PortView {
  return { number, name: '', protocol };
}

function virtualHostOf(view: VirtualDestinationView, name: string): XdsResource[] {
  const host = virtualHost({
    hostnames: [view.hostname],
    port: portOf(view),
    routes: [],
    cluster: name,
    bytesCluster: name,
  });
  return host === undefined ? [] : [hostResource(host)];
}

/** The backends of one cluster, and the endpoints to reach them. */
function member(
  group: VirtualEndpointGroup,
  name: string,
  view: VirtualDestinationView,
  out: Output,
): { readonly made: cluster.Cluster; readonly endpointMultiplicity: readonly XdsResource[] } {
  const { destination, port, local, endpoints } = group;
  const { gatewayHostname, tcpKeepalive, consumer, hostname, virtualDestination } = view;
  const assigned = local ? assignmentName(destination.hostname, port.number) : name;
  const made = endpointCluster({
    name,
    assignment: assigned,
    connection: connectionParts(connectionOf(view), portTransportOf(view), local ? undefined : tcpKeepalive),
    security: {
      mode: 'MUTUAL',
      sni: local ? clusterName(destination.hostname, port.number) : clusterName(gatewayHostname, view.port.number),
      identities: backendIdentities(group),
      portTransport: portTransportOf(view),
    },
  });
  if (local) return { made, endpointMultiplicity: [] };
  const about = { cluster: consumer.cluster, hostname, policy: virtualDestination };
  const dialled = withAddresses(endpoints, about, out).flatMap((endpoint) => {
    const number = portToDial(endpoint, port.number);
    return number === undefined ? [] : [{ endpoint, port: number }];
  });
  return { made, endpointMultiplicity: [assignmentResource(assignment(assigned, dialled))] };
}

function backendIdentities({ destination }: VirtualEndpointGroup): readonly Identity[] {
  return identitiesOf(destination);
}

function portTransportOf(view: VirtualDestinationView): PortTransport {
  return portTransportsOf(portOf(view))[0] ?? 'bytes';
}

function connectionOf({ outlierDetection, sameHostname }: VirtualDestinationView): ConnectionView {
  const { pool } = sameHostname?.connection ?? {};
  return { outlierDetection: { value: outlierDetection, from: [] }, ...(pool === undefined ? {} : { pool }) };
}

/**
 * Gateways know the pods of their own cluster by another name than callers do, so that inbound requests do not leave
 * again.
 */
function passed(view: VirtualDestinationView): {
  readonly resources: readonly XdsResource[];
  readonly proxies: readonly XdsProxy[];
} {
  const { gatewayRoute: gatewayHostname, groups, port } = view;
  const local = groups.find((group) => group.local);
  if (gatewayHostname === undefined || local === undefined || gatewayHostname.gatewayAccounts.length === 0)
    return { resources: [], proxies: [] };
  const made = endpointCluster({
    name: clusterName(gatewayHostname.hostname, port.number),
    assignment: assignmentName(local.destination.hostname, local.port.number),
    connection: connectionParts({}, 'bytes'),
  });
  return {
    resources: [clusterResource(made)],
    proxies: gatewayHostname.gatewayAccounts.map(({ namespace, name }) => givenClusters(namespace, name, [made.name])),
  };
}

/** Reports settings of policies for the Service that a virtual destination with the Service's own name overrides. */
function reportOverruled({ hostname, sameHostname, outlierDetection }: VirtualDestinationView, out: Output): void {
  const { mtls, outlierDetection: required } = sameHostname?.connection ?? {};
  if (mtls !== undefined && mtls.value !== 'MUTUAL') {
    const message = `callers use mutual TLS towards ${hostname} in any case: a virtual destination has that name, and gateways accept nothing else`;
    for (const policy of mtls.from)
      out.report(policy, { code: 'UNSUPPORTED', severity: 'warning', field: 'spec.policy.mtls', message });
  }
  if (required !== undefined && JSON.stringify(required.value) !== JSON.stringify(outlierDetection)) {
    const message = `a virtual destination has the name ${hostname} and has its own outlier detection; set spec.localized.outlierDetection there`;
    for (const policy of required.from)
      out.report(policy, { code: 'UNSUPPORTED', severity: 'warning', field: 'spec.policy.outlierDetection', message });
  }
}
