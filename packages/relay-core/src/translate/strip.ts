/** Removes from views what a mesh does not support, and reports it to the policies that requested it. */

import type {
  CapabilityTable,
  DestinationView,
  EndpointsView,
  FederatedDestinationView,
  MeshExtensionsView,
  MeshView,
  Sourced,
  SubsetView,
  ViewField,
  VirtualDestinationView,
  WorkloadExtensionsView,
  WorkloadView,
} from '@meshrelay/plugin';
import { reducedVirtualDestination, virtualDestinationRequirements } from '../fields/virtual-destination/mod.ts';
import { federationRequirement, reduceKeepalive } from '../fields/virtual-mesh/federation.ts';
import { reducedMesh } from '../fields/virtual-mesh/mod.ts';
import { unsupportedReason } from '../plugin/capability.ts';
import { CapabilityChecker, type PluginCapabilities, type UnsupportedField } from './capability-checker.ts';
import {
  type Supported,
  supportedAccess,
  supportedAccessLog,
  supportedConnection,
  supportedRoutes,
  supportedWasm,
} from './strip-parts.ts';

export interface WithoutUnsupported<V> {
  readonly view: V;
  readonly rejected: readonly UnsupportedField[];
}

/** A destination's view without what its mesh does not support. */
export function stripDestination(
  view: DestinationView,
  capabilities: PluginCapabilities,
): WithoutUnsupported<DestinationView> {
  const routes = supportedRoutes(capabilities)(view.routes);
  const subsets = supportedSubsets(capabilities, view.subsets);
  const connection = supportedConnection(capabilities)(view.connection);
  const access = supportedAccess(capabilities)(view.access);
  const parts = { routes: routes.part, subsets: subsets.part, connection: connection.part, access: access.part };
  const rejected = [routes, subsets, connection, access].flatMap((supported) => supported.rejected);
  const { virtualDestination } = view;
  if (virtualDestination === undefined || supportsName(capabilities.capabilities, virtualDestination.failover))
    return { view: isMadeOf(view, parts) ? view : { ...view, ...parts }, rejected };
  const { virtualDestination: _uncarried, ...own } = view;
  return { view: { ...own, ...parts }, rejected };
}

/** Most views are fully supported and are then not copied. */
function isMadeOf(view: DestinationView, { routes, subsets, connection, access }: Partial<DestinationView>): boolean {
  return view.routes === routes && view.subsets === subsets && view.connection === connection && view.access === access;
}

function supportedSubsets(
  capabilities: PluginCapabilities,
  subsets: ReadonlyArray<Sourced<SubsetView>>,
): Supported<ReadonlyArray<Sourced<SubsetView>>> {
  if (subsets.length === 0) return { part: subsets, rejected: [] };
  const checker = new CapabilityChecker(capabilities);
  const remaining = subsets.filter(({ from }) => checker.check(['route.shift.subset'], from));
  return { part: remaining.length === subsets.length ? subsets : remaining, rejected: checker.rejected };
}

/**
 * Whether a virtual destination can have the Service's own name. If it cannot, the view of the virtual destination
 * reports it.
 */
function supportsName(table: CapabilityTable, failover: 'static' | 'localized'): boolean {
  const needed: readonly ViewField[] = [`virtualDestination.${failover}`, 'virtualDestination.sameHostname'];
  return needed.every((field) => unsupportedReason(table, field) === undefined);
}

/**
 * A federated destination view without what the consuming mesh does not support; undefined if that mesh cannot reach
 * other clusters.
 */
export function stripReach(
  view: FederatedDestinationView,
  capabilities: PluginCapabilities,
): WithoutUnsupported<FederatedDestinationView | undefined> {
  const checker = new CapabilityChecker(capabilities);
  if (!checker.check([federationRequirement(view)], [view.virtualMesh]))
    return { view: undefined, rejected: checker.rejected };
  const routes = supportedRoutes(capabilities)(view.routes);
  const subsets = supportedSubsets(capabilities, view.subsets);
  const connection = supportedConnection(capabilities)(view.connection);
  return {
    view: {
      ...withSupportedKeepalive(view, capabilities),
      routes: routes.part,
      subsets: subsets.part,
      connection: connection.part,
    },
    rejected: [...checker.rejected, ...routes.rejected, ...subsets.rejected, ...connection.rejected],
  };
}

/** Unsupported keepalives are reported once per mesh, in its own view. */
function withSupportedKeepalive<View extends FederatedDestinationView | VirtualDestinationView>(
  view: View,
  { capabilities }: PluginCapabilities,
): View {
  return reduceKeepalive(view, () => unsupportedReason(capabilities, 'mesh.federation.tcpKeepalive') === undefined);
}

/**
 * Endpoints of a federated destination. Undefined if the consuming mesh cannot reach other clusters; the federated
 * destination's view reports that.
 */
export function stripEndpoints(
  view: EndpointsView,
  { capabilities }: PluginCapabilities,
): WithoutUnsupported<EndpointsView | undefined> {
  const supported = unsupportedReason(capabilities, federationRequirement(view)) === undefined;
  return { view: supported ? view : undefined, rejected: [] };
}

/**
 * A virtual destination's view without what the consuming mesh does not support; undefined if the mesh does not support
 * it at all.
 */
export function stripVirtualDestination(
  view: VirtualDestinationView,
  capabilities: PluginCapabilities,
): WithoutUnsupported<VirtualDestinationView | undefined> {
  const checker = new CapabilityChecker(capabilities);
  const policies = [view.virtualDestination];
  const { sameHostname } = view;
  const reduced = reducedVirtualDestination(view, (capability) => checker.check([capability], policies));
  if (!checker.meets(virtualDestinationRequirements(view), policies))
    return { view: undefined, rejected: checker.rejected };
  const connection = supportedConnection(capabilities)(sameHostname?.connection ?? {});
  const subsets = supportedSubsets(capabilities, sameHostname?.subsets ?? []);
  return {
    view: {
      ...withSupportedKeepalive(view, capabilities),
      ...reduced,
      ...(sameHostname === undefined ? {} : { sameHostname: { connection: connection.part, subsets: subsets.part } }),
    },
    rejected: [...checker.rejected, ...connection.rejected, ...subsets.rejected],
  };
}

/** A mesh's view without what the mesh does not support. */
export function stripMesh(view: MeshView, capabilities: PluginCapabilities): WithoutUnsupported<MeshView> {
  const checker = new CapabilityChecker(capabilities);
  const policies = [view.virtualMesh];
  const reduced = reducedMesh(view, (capability) => checker.check([capability], policies));
  return { view: reduced, rejected: checker.rejected };
}

/** A workload's view without what its mesh does not support. The views of its destinations report what was removed. */
export function stripWorkload(view: WorkloadView, capabilities: PluginCapabilities): WithoutUnsupported<WorkloadView> {
  const services = view.services.map((service) => ({
    ...service,
    access: supportedAccess(capabilities)(service.access).part,
    limits: supportedRoutes(capabilities)(service.limits).part,
  }));
  const accessLog = supportedAccessLog(capabilities)(view.accessLog).part;
  return { view: { ...view, services, accessLog, wasm: supportedWasm(capabilities)(view.wasm).part }, rejected: [] };
}

/** A workload's extensions without what its mesh does not support; undefined if nothing is left. */
export function stripWorkloadExtensions(
  view: WorkloadExtensionsView,
  capabilities: PluginCapabilities,
): WithoutUnsupported<WorkloadExtensionsView | undefined> {
  const accessLog = supportedAccessLog(capabilities)(view.accessLog);
  const wasm = supportedWasm(capabilities)(view.wasm);
  return {
    view:
      accessLog.part.length + wasm.part.length === 0
        ? undefined
        : { ...view, accessLog: accessLog.part, wasm: wasm.part },
    rejected: [...accessLog.rejected, ...wasm.rejected],
  };
}

/**
 * What these extensions require of the mesh, without what it does not support. The view of each workload reports what
 * was removed.
 */
export function stripMeshExtensions(
  view: MeshExtensionsView,
  capabilities: PluginCapabilities,
): WithoutUnsupported<MeshExtensionsView | undefined> {
  const { part } = supportedAccessLog(capabilities)(view.accessLog);
  return { view: part.length === 0 ? undefined : { ...view, accessLog: part }, rejected: [] };
}
