/** A Service as a backend of a virtual destination: the requirements, and why a Service does not satisfy them. */
import type { PolicyState, Report, VirtualDestinationSpec } from '@meshrelay/api';
import type { Key, PortView } from '@meshrelay/plugin';
import { backendsOf } from '../../fields/virtual-destination/mod.ts';
import { type KnownDestination, notInMesh, supportsHttpRoutes } from '../inventory/mod.ts';
import { scopeField } from './scope.ts';

/** A backend Service of a virtual destination. */
export interface VirtualMember {
  readonly destination: Key;
  /** Its mesh. */
  readonly home: Key;
  readonly cluster: string;
  /** 0 is the highest; equal for all backends with locality failover. */
  readonly priority: number;
  /** The port of the Service that takes the requests. */
  readonly port: PortView;
  /** Whether callers of other clusters can use it, so that the gateways of its own cluster admit them. */
  readonly gatewayRoute: boolean;
}

/** A problem with one Service or mesh, reported to the virtual destination. */
export interface VirtualProblem {
  readonly target: { readonly kind: 'Destination' | 'Mesh'; readonly key: Key };
  readonly state: PolicyState;
  readonly report: Report;
  /** True if it concerns only policies that name the Service. */
  readonly infoUnlessNamed?: boolean;
}

export interface RouteTargetContext {
  /** Whether a mesh can use the virtual destination. */
  inScope(mesh: Key): boolean;
  isGateway(destination: KnownDestination): boolean;
  /** Whether callers outside the cluster can use the virtual destination. */
  hasRemoteCallers(cluster: string): boolean;
}

/** The backend that a selected Service becomes, or why it cannot be one. */
export function memberOf(
  destination: KnownDestination,
  priority: number,
  spec: VirtualDestinationSpec,
  { inScope, isGateway, hasRemoteCallers }: RouteTargetContext,
): { readonly member?: VirtualMember; readonly problem?: VirtualProblem } {
  const { mesh } = destination;
  const problem = (state: PolicyState, report: Report, infoUnlessNamed = false) => ({
    problem: { target: { kind: 'Destination' as const, key: destination.key }, state, report, infoUnlessNamed },
  });
  const where = `Service ${destination.namespace}/${destination.name} of cluster ${destination.cluster}`;
  const { field } = backendsOf(spec);
  if (mesh === undefined) return problem('DEGRADED', { ...notInMesh(destination), field }, true);
  if (!inScope(mesh.key)) {
    const message = `${where} belongs to the mesh ${mesh.namespace}/${mesh.name}, which ${scopeField(spec)} does not include; add the mesh there, or do not select the Service`;
    return problem('DEGRADED', { code: 'NOT_A_MEMBER', severity: 'warning', field, message }, true);
  }
  if (isGateway(destination)) {
    const message = `${where} is the ingress gateway for other clusters and cannot be a backend; do not select it`;
    return problem('DEGRADED', { code: 'IS_A_GATEWAY', severity: 'warning', field, message }, true);
  }
  const port = portOf(destination, spec);
  if (port === undefined) {
    const has = destination.ports.map(({ name, number }) => (name === '' ? `${number}` : `${name} (${number})`));
    const required = spec.port.targetName ?? spec.port.targetNumber ?? spec.port.number;
    const message = `${where} has no port ${required} that gateways support (supported: ${has.join(', ') || 'none'}); set spec.port.targetName or targetNumber to one of them`;
    return problem('INVALID', { code: 'PORT_MISSING', severity: 'error', field: 'spec.port', message });
  }
  if (port.protocol !== 'AUTO' && supportsHttpRoutes(port) !== isHttp(spec)) {
    const message = `port ${port.number} of ${where} has protocol ${port.protocol} and spec.port.protocol is ${spec.port.protocol}: proxies and access policies would treat requests as TCP, or TCP as requests; make them equal`;
    return problem('INVALID', { code: 'PORT_PROTOCOL', severity: 'error', field: 'spec.port.protocol', message });
  }
  const { key, cluster } = destination;
  const gatewayRoute = hasRemoteCallers(cluster);
  return { member: { destination: key, home: mesh.key, cluster, priority, port, gatewayRoute } };
}

/** Whether a mesh can see requests on the port. */
export function isHttp({ port: { protocol } }: VirtualDestinationSpec): boolean {
  return protocol === 'HTTP' || protocol === 'HTTP2' || protocol === 'GRPC';
}

/** The port of the Service: by name, by number, else the port that callers use. */
function portOf({ ports }: KnownDestination, { port }: VirtualDestinationSpec): PortView | undefined {
  const { targetName, targetNumber = port.number } = port;
  const found = ports.find(({ name, number }) =>
    targetName === undefined ? number === targetNumber : name === targetName,
  );
  return found?.protocol === 'UDP' ? undefined : found;
}
