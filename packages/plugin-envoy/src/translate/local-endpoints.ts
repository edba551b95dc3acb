/** The pods of a Service, for the sidecars and gateways of its own cluster. */
import type { XdsResource } from '@meshrelay/api';
import { type EndpointView, type LocalEndpointsView, type Output, type PortView, portToDial } from '@meshrelay/plugin';
import { ROLE_LABEL } from '../kinds.ts';
import { podsName } from '../names.ts';
import { assignmentName } from './cluster/names.ts';
import { portTransportsOf } from './cluster/port-transport.ts';
import { assignment } from './endpoints/assignment.ts';
import { INBOUND_PORT } from './ports.ts';
import { assignmentResource, xdsConfig } from './xds-config.ts';

export function translateLocalEndpoints(view: LocalEndpointsView, out: Output): void {
  const { destination, virtualMesh } = view;
  const resources = destination.ports
    .filter((port) => portTransportsOf(port).length > 0)
    .flatMap((port) => podAssignments(destination.hostname, port, view));
  if (resources.length === 0) return;
  out.emit(destination.cluster, xdsConfig(destination.mesh, podsName(destination), { resources }), [virtualMesh]);
}

/** The endpoints of a port: its proxies, and its applications if callers bypass the proxies. */
export function podAssignments(
  hostname: string,
  { number }: PortView,
  { endpoints, bypassed }: Pick<LocalEndpointsView, 'endpoints' | 'bypassed'>,
): XdsResource[] {
  const serving = endpoints.flatMap((endpoint) => {
    const port = portToDial(endpoint, number);
    return port === undefined ? [] : [{ endpoint, port }];
  });
  // A pod without a proxy cannot prove its identity.
  const proxies = serving
    .filter(({ endpoint }) => hasProxy(endpoint))
    .map(({ endpoint }) => ({ endpoint, port: INBOUND_PORT }));
  return [
    assignmentResource(assignment(assignmentName(hostname, number), proxies)),
    ...(bypassed ? [assignmentResource(assignment(assignmentName(hostname, number, true), serving))] : []),
  ];
}

function hasProxy({ labels }: EndpointView): boolean {
  return labels[ROLE_LABEL] !== undefined;
}
