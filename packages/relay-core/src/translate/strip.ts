/** Takes out of views what a mesh says it cannot carry, and says so to the policies that asked for it. */
import { virtualDestinationRequirements } from '../fields/virtual-destination.ts';
import { type CapabilityTable, unsupportedReason, type ViewField } from '../plugin/capability.ts';
import type {
  DestinationView,
  EndpointsView,
  FederatedDestinationView,
  MeshExtensionsView,
  MeshView,
  Sourced,
  SubsetView,
  VirtualDestinationView,
  WorkloadExtensionsView,
  WorkloadView,
} from '../plugin/views/mod.ts';
import { type Carrier, Judge, type Loss } from './judge.ts';
import {
  type Carried,
  carriedAccess,
  carriedAccessLog,
  carriedConnection,
  carriedRoutes,
  carriedWasm,
} from './strip-parts.ts';

export interface Stripped<V> {
  readonly view: V;
  readonly losses: readonly Loss[];
}

/** A destination's view without what its mesh cannot carry. */
export function stripDestination(view: DestinationView, carrier: Carrier): Stripped<DestinationView> {
  const routes = carriedRoutes(carrier)(view.routes);
  const subsets = carriedSubsets(carrier, view.subsets);
  const connection = carriedConnection(carrier)(view.connection);
  const access = carriedAccess(carrier)(view.access);
  const parts = { routes: routes.part, subsets: subsets.part, connection: connection.part, access: access.part };
  const losses = [routes, subsets, connection, access].flatMap((carried) => carried.losses);
  const { virtualDestination } = view;
  if (virtualDestination === undefined || carriesName(carrier.capabilities, virtualDestination.failover))
    return { view: isMadeOf(view, parts) ? view : { ...view, ...parts }, losses };
  const { virtualDestination: _uncarried, ...own } = view;
  return { view: { ...own, ...parts }, losses };
}

/** Most views are carried whole, and are then not made anew. */
function isMadeOf(view: DestinationView, { routes, subsets, connection, access }: Partial<DestinationView>): boolean {
  return view.routes === routes && view.subsets === subsets && view.connection === connection && view.access === access;
}

function carriedSubsets(
  carrier: Carrier,
  subsets: ReadonlyArray<Sourced<SubsetView>>,
): Carried<ReadonlyArray<Sourced<SubsetView>>> {
  if (subsets.length === 0) return { part: subsets, losses: [] };
  const judge = new Judge(carrier);
  const kept = subsets.filter(({ from }) => judge.allows(['route.shift.subset'], from));
  return { part: kept.length === subsets.length ? subsets : kept, losses: judge.losses };
}

/** Whether a Service's own name can be a virtual destination's; what cannot is told with that one's view. */
function carriesName(table: CapabilityTable, failover: 'static' | 'localized'): boolean {
  const needed: readonly ViewField[] = [`virtualDestination.${failover}`, 'virtualDestination.sameHostname'];
  return needed.every((field) => unsupportedReason(table, field) === undefined);
}

/** A reach view without what the consuming mesh cannot carry; undefined where that mesh cannot reach across clusters at all. */
export function stripReach(
  view: FederatedDestinationView,
  carrier: Carrier,
): Stripped<FederatedDestinationView | undefined> {
  const judge = new Judge(carrier);
  if (!judge.allows([wayOf(view)], [view.virtualMesh])) return { view: undefined, losses: judge.losses };
  // That keepalives are lost is told once for each mesh, not for each of its reaches.
  const { tcpKeepalive, ...rest } = view;
  const keeps =
    tcpKeepalive !== undefined && unsupportedReason(carrier.capabilities, 'mesh.federation.tcpKeepalive') === undefined;
  const routes = carriedRoutes(carrier)(view.routes);
  const subsets = carriedSubsets(carrier, view.subsets);
  const connection = carriedConnection(carrier)(view.connection);
  return {
    view: {
      ...rest,
      ...(keeps ? { tcpKeepalive } : {}),
      routes: routes.part,
      subsets: subsets.part,
      connection: connection.part,
    },
    losses: [...judge.losses, ...routes.losses, ...subsets.losses, ...connection.losses],
  };
}

function wayOf({ direct }: Pick<FederatedDestinationView, 'direct'>): ViewField {
  return direct ? 'mesh.federation.flatNetwork' : 'mesh.federation.gateway';
}

/** Endpoints of a reach; undefined where the consuming mesh cannot reach across clusters, which is told with the reach itself. */
export function stripEndpoints(view: EndpointsView, { capabilities }: Carrier): Stripped<EndpointsView | undefined> {
  const carried = unsupportedReason(capabilities, wayOf(view)) === undefined;
  return { view: carried ? view : undefined, losses: [] };
}

/** A virtual destination's view without what the consuming mesh cannot carry; undefined where that mesh cannot carry it at all. */
export function stripVirtualDestination(
  view: VirtualDestinationView,
  carrier: Carrier,
): Stripped<VirtualDestinationView | undefined> {
  const judge = new Judge(carrier);
  const policies = [view.virtualDestination];
  const { tcpKeepalive, ...rest } = view;
  const { failover, sameHostname } = view;
  const keeps =
    tcpKeepalive !== undefined && unsupportedReason(carrier.capabilities, 'mesh.federation.tcpKeepalive') === undefined;
  const directed = failover.kind === 'localized' && failover.directives.length > 0;
  const undirected = directed && !judge.allows(['virtualDestination.localized.directives'], policies);
  if (!judge.allows(virtualDestinationRequirements(view), policies)) return { view: undefined, losses: judge.losses };
  const connection = carriedConnection(carrier)(sameHostname?.connection ?? {});
  const subsets = carriedSubsets(carrier, sameHostname?.subsets ?? []);
  return {
    view: {
      ...rest,
      ...(keeps ? { tcpKeepalive } : {}),
      ...(undirected ? { failover: { kind: 'localized', directives: [] } } : {}),
      ...(sameHostname === undefined ? {} : { sameHostname: { connection: connection.part, subsets: subsets.part } }),
    },
    losses: [...judge.losses, ...connection.losses, ...subsets.losses],
  };
}

/** A mesh's view without what it cannot carry. */
export function stripMesh(view: MeshView, carrier: Carrier): Stripped<MeshView> {
  const judge = new Judge(carrier);
  const policies = [view.virtualMesh];
  const { tcpKeepalive, ...rest } = view;
  const keeps = tcpKeepalive !== undefined && judge.allows(['mesh.federation.tcpKeepalive'], policies);
  const federated = view.exportedHosts.length === 0 || judge.allows(['mesh.federation.gateway'], policies);
  return {
    view: {
      ...rest,
      ...(keeps ? { tcpKeepalive } : {}),
      globalAccess:
        view.globalAccess === 'MESH_DEFAULT' || judge.allows(['mesh.globalAccess'], policies)
          ? view.globalAccess
          : 'MESH_DEFAULT',
      strictMtls: view.strictMtls && judge.allows(['mesh.strictMtls'], policies),
      trust: view.trust === undefined || judge.allows([`mesh.trust.${view.trust}`], policies) ? view.trust : undefined,
      flatNetwork: view.flatNetwork && judge.allows(['mesh.federation.flatNetwork'], policies),
      exportedHosts: federated ? view.exportedHosts : [],
    },
    losses: judge.losses,
  };
}

/** A workload's view without what its mesh cannot carry. What is lost is told with the views of its destinations. */
export function stripWorkload(view: WorkloadView, carrier: Carrier): Stripped<WorkloadView> {
  const services = view.services.map((service) => ({
    ...service,
    access: carriedAccess(carrier)(service.access).part,
    limits: carriedRoutes(carrier)(service.limits).part,
  }));
  const accessLog = carriedAccessLog(carrier)(view.accessLog).part;
  return { view: { ...view, services, accessLog, wasm: carriedWasm(carrier)(view.wasm).part }, losses: [] };
}

/** A workload's extensions without what its mesh cannot carry; undefined where nothing is left. */
export function stripWorkloadExtensions(
  view: WorkloadExtensionsView,
  carrier: Carrier,
): Stripped<WorkloadExtensionsView | undefined> {
  const accessLog = carriedAccessLog(carrier)(view.accessLog);
  const wasm = carriedWasm(carrier)(view.wasm);
  return {
    view:
      accessLog.part.length + wasm.part.length === 0
        ? undefined
        : { ...view, accessLog: accessLog.part, wasm: wasm.part },
    losses: [...accessLog.losses, ...wasm.losses],
  };
}

/** The same of what they ask of the mesh. What is lost is told with each workload. */
export function stripMeshExtensions(
  view: MeshExtensionsView,
  carrier: Carrier,
): Stripped<MeshExtensionsView | undefined> {
  const { part } = carriedAccessLog(carrier)(view.accessLog);
  return { view: part.length === 0 ? undefined : { ...view, accessLog: part }, losses: [] };
}
