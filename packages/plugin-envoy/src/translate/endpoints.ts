/** The endpoints of a destination in another cluster. */

import type { XdsResource } from '@meshrelay/api';
import {
  type EndpointsView,
  type EndpointView,
  type Output,
  type PolicyRef,
  type PortView,
  portToDial,
} from '@meshrelay/plugin';
import { remoteEndpointsName } from '../names.ts';
import { assignmentName } from './cluster/names.ts';
import { portTransportsOf } from './cluster/port-transport.ts';
import { assignment } from './endpoints/assignment.ts';
import { podAssignments } from './local-endpoints.ts';
import { assignmentResource, xdsConfig } from './xds-config.ts';

export function translateEndpoints(view: EndpointsView, out: Output): void {
  const { destination, consumer, hostname, virtualMesh } = view;
  const endpoints = withAddresses(view.endpoints, { cluster: consumer.cluster, hostname, policy: virtualMesh }, out);
  const resources = destination.ports
    .filter((port) => portTransportsOf(port).length > 0)
    .flatMap((port) => assignments({ ...view, endpoints }, port));
  if (resources.length === 0) return;
  out.emit(consumer.cluster, xdsConfig(consumer, remoteEndpointsName(destination), { resources }), [virtualMesh]);
}

function assignments(
  { destination, consumer, hostname, direct, endpoints }: EndpointsView,
  port: PortView,
): XdsResource[] {
  // Pods of other kinds of mesh have proxies that intercept traffic to the applications' own ports.
  if (direct && destination.mesh.type === consumer.type)
    return podAssignments(hostname, port, { endpoints, bypassed: true });
  const endpointPorts = endpoints.flatMap((endpoint) => {
    const number = portToDial(endpoint, port.number);
    return number === undefined ? [] : [{ endpoint, port: number }];
  });
  return [false, ...(direct ? [true] : [])].map((bypassed) =>
    assignmentResource(assignment(assignmentName(hostname, port.number, bypassed), endpointPorts)),
  );
}

/** Leaves out endpoints without an IP address, which EDS does not support, and reports them on the policy. */
export function withAddresses(
  endpoints: readonly EndpointView[],
  { cluster, hostname, policy }: { readonly cluster: string; readonly hostname: string; readonly policy: PolicyRef },
  out: Output,
): readonly EndpointView[] {
  const withHostnames = endpoints.filter(({ kind }) => kind === 'hostname');
  if (withHostnames.length === 0) return endpoints;
  const names = [...new Set(withHostnames.map(({ address }) => address))].sort();
  out.report(policy, {
    code: 'UNSUPPORTED',
    severity: 'warning',
    field: 'spec.federation.eastWestIngressGatewaySelectors',
    message: `Envoys of cluster ${cluster} reach ${hostname} by addresses only, so its gateways at ${names.join(', ')} are left out; give them IP addresses`,
  });
  return endpoints.filter(({ kind }) => kind !== 'hostname');
}
