/**
 * ServiceEntries of a virtual destination: one for pods of the caller's cluster, one for endpoints in other clusters,
 * with the same host. Istio merges them.
 */
import {
  type EndpointView,
  type Output,
  portToDial,
  type VirtualDestinationRows,
  type VirtualDestinationView,
  type VirtualEndpointGroup,
} from '@meshrelay/plugin';
import { istioObject, SERVICE_ENTRY } from '../../kinds.ts';
import { virtualDestinationName } from '../../names.ts';
import { present } from '../../present.ts';
import { workloadEntry } from '../workload-entry.ts';
import { isResolved, type Order } from './order.ts';
import { placeOf } from './place.ts';

export const HOSTNAME: VirtualDestinationRows<'hostname'> = { 'virtualDestination.sameHostname': 'native' };

export function serviceEntries(view: VirtualDestinationView, order: Order, out: Output): void {
  const { groups, sameHostname, virtualDestination, consumer } = view;
  const name = portName(view);
  if (name === undefined) return;
  const emit = (ending: string, spec: Record<string, unknown>) =>
    out.emit(consumer.cluster, istioObject(SERVICE_ENTRY, placeOf(view), virtualDestinationName(view, ending), spec), [
      virtualDestination,
    ]);
  const remote = groups.filter(({ local }) => !local);
  const endpoints = remote.flatMap((group) =>
    group.endpoints.flatMap((endpoint) => entryOf(endpoint, group, name, order) ?? []),
  );
  const resolution = isResolved(view) ? 'DNS' : 'STATIC';
  if (endpoints.length > 0) emit('', { ...headOf(view, resolution), ports: [portOf(view, name)], endpoints });
  const local = groups.find((group) => group.local);
  if (local === undefined || sameHostname !== undefined) return;
  emit('.local', {
    ...headOf(view, resolution),
    ports: [portOf(view, name, local)],
    workloadSelector: { labels: local.destination.workloadSelector },
  });
}

/**
 * The ServiceEntry by which gateways know the pods. It has its own name; otherwise gateways would send requests on to
 * other clusters again.
 */
export function gatewayServiceEntry(view: VirtualDestinationView, out: Output): void {
  const { gatewayRoute: passed, groups, virtualDestination, consumer } = view;
  const local = groups.find((group) => group.local);
  if (passed === undefined || local === undefined) return;
  const { namespace, workloadSelector } = local.destination;
  const spec = {
    hosts: [passed.hostname],
    // No client dials it. Sidecars in the gateways' namespaces see the entry too, and could not distinguish two hosts
    // with one address.
    addresses: [passed.address],
    location: 'MESH_INTERNAL',
    resolution: 'STATIC',
    ports: [portOf(view, protocolName(view), local)],
    workloadSelector: { labels: workloadSelector },
    exportTo: passed.gatewayNamespaces.map((gateway) => (gateway === namespace ? '.' : gateway)),
  };
  out.emit(consumer.cluster, istioObject(SERVICE_ENTRY, namespace, virtualDestinationName(view, '.gateway'), spec), [
    virtualDestination,
  ]);
}

/** The Service itself has an address if the name is its own. */
function headOf(
  { hostname, address, sameHostname }: VirtualDestinationView,
  resolution: string,
): Record<string, unknown> {
  return present({
    hosts: [hostname],
    addresses: sameHostname === undefined ? [address] : undefined,
    location: 'MESH_INTERNAL',
    resolution,
  });
}

function portOf({ port }: VirtualDestinationView, name: string, local?: VirtualEndpointGroup): Record<string, unknown> {
  const target = local?.port.targetPort ?? local?.port.number ?? port.number;
  return present({
    number: port.number,
    name,
    protocol: port.protocol,
    targetPort: target === port.number ? undefined : target,
  });
}

/** Istio merges endpoints of a Service and a ServiceEntry by port name; undefined if the Service's port has none. */
export function portName(view: VirtualDestinationView): string | undefined {
  if (view.sameHostname === undefined) return protocolName(view);
  const name = view.groups.find(({ local }) => local)?.port.name;
  return name === '' ? undefined : name;
}

function protocolName({ port }: VirtualDestinationView): string {
  return port.protocol.toLowerCase();
}

function entryOf(
  endpoint: EndpointView,
  group: VirtualEndpointGroup,
  name: string,
  { labelsOf, remoteLocality }: Order,
): Record<string, unknown> | undefined {
  const number = portToDial(endpoint, group.port.number);
  if (number === undefined) return undefined;
  const placed = remoteLocality === undefined ? endpoint : { ...endpoint, locality: remoteLocality };
  return workloadEntry(placed, { [name]: number }, labelsOf(group));
}
