/** Meshes in their virtual meshes. */
import type { Collection, Graph, Read } from '../graph/collection.ts';
import { key } from '../graph/key.ts';
import type { LoadedPlugin } from '../plugin/registry.ts';
import type { GatewayView, MeshFacts, MeshView } from '../plugin/views.ts';
import { keepaliveView } from './action-views.ts';
import type { Destinations, KnownDestination } from './destinations.ts';
import { federatingTypes } from './federating.ts';
import { namesOfCluster } from './federation-names.ts';
import type { Joined } from './joined.ts';
import { passagesUnder } from './virtual-destinations/plan.ts';
import { type CheckedVirtualMesh, membersOf } from './virtual-meshes.ts';

/** By mesh key; members of virtual meshes only. */
export function meshViews(graph: Graph, joined: Joined, plugins: readonly LoadedPlugin[]): Collection<MeshView> {
  const { meshes, virtualMeshes, destinations, gateways, federation, virtualDestinations } = joined;
  const gatewayLabels = new Map(plugins.map(({ plugin }) => [plugin.name, plugin.gatewayDefaults?.labels ?? {}]));
  const federates = federatingTypes(plugins);
  return graph.derive('resolve/mesh-views', virtualMeshes.memberships, (membership, read): MeshView | undefined => {
    const mesh = read.get(meshes, membership.mesh);
    const virtualMesh = read.get(virtualMeshes.all, membership.virtualMesh);
    if (mesh === undefined || virtualMesh === undefined) return undefined;
    return meshViewOf(mesh, virtualMesh, {
      gateways: read.get(gateways, mesh.key)?.gateways ?? [],
      exportsAnything: read.count(federation.exportsOfMesh, mesh.key) > 0,
      passesAnything: read.count(federation.gatewayExportsOfMesh, mesh.key) > 0,
      passesVirtual: federates(mesh.type) && read.count(virtualDestinations.passagesOfMesh, mesh.key) > 0,
      peers: membersOf(read, virtualMeshes, meshes, membership.virtualMesh).filter((peer) => peer.key !== mesh.key),
      ingress: gatewayServices(read, destinations, mesh, gatewayLabels.get(mesh.type) ?? {}),
    });
  });
}

function meshViewOf(
  mesh: MeshFacts,
  { object: { spec }, ref }: CheckedVirtualMesh,
  found: {
    readonly gateways: readonly GatewayView[];
    readonly exportsAnything: boolean;
    readonly passesAnything: boolean;
    /** Whether its gateways let requests for virtual destinations in. */
    readonly passesVirtual: boolean;
    readonly peers: readonly MeshFacts[];
    readonly ingress: readonly KnownDestination[];
  },
): MeshView {
  const { mtlsConfig, globalAccessPolicy, federation } = spec;
  return {
    mesh,
    virtualMesh: ref,
    globalAccess: globalAccessPolicy ?? 'MESH_DEFAULT',
    strictMtls: mtlsConfig?.strict ?? false,
    trust: mtlsConfig?.shared !== undefined ? 'shared' : mtlsConfig?.limited !== undefined ? 'limited' : undefined,
    flatNetwork: federation?.flatNetwork ?? false,
    ...(federation?.tcpKeepalive === undefined ? {} : { tcpKeepalive: keepaliveView(federation.tcpKeepalive) }),
    eastWestGateways: found.gateways,
    ingressGateways: found.ingress.flatMap(ingressView),
    exportedHosts: exportedHosts(mesh, federation?.hostnameSuffix, found),
    peers: found.peers,
    callerTrustDomains: found.exportsAnything || found.passesVirtual ? trustDomainsBeyond(mesh, found.peers) : [],
  };
}

function trustDomainsBeyond(mesh: MeshFacts, peers: readonly MeshFacts[]): string[] {
  const domains = new Set(peers.map(({ trustDomain }) => trustDomain));
  domains.delete(mesh.trustDomain);
  return [...domains].sort();
}

/** No wider than need be: gateways let anybody of the virtual mesh in to all they know by such names. */
function exportedHosts(
  { cluster }: MeshFacts,
  suffix: string | undefined,
  { passesAnything, passesVirtual }: { readonly passesAnything: boolean; readonly passesVirtual: boolean },
): readonly string[] {
  return [
    ...(passesAnything ? [namesOfCluster(cluster, suffix)] : []),
    ...(passesVirtual ? [`*.${passagesUnder(suffix)}`] : []),
  ];
}

function ingressView({ name, namespace, workloadSelector }: KnownDestination): GatewayView[] {
  if (Object.keys(workloadSelector).length === 0) return [];
  return [{ name, namespace, workloadSelector, containerPort: 0, endpoints: [] }];
}

function gatewayServices(
  read: Read,
  destinations: Destinations,
  mesh: MeshFacts,
  labels: Readonly<Record<string, string>>,
): KnownDestination[] {
  const [label] = Object.entries(labels).sort();
  if (label === undefined) return [];
  return read
    .by(destinations.byBucket, key('label', ...label))
    .map(([, destination]) => destination)
    .filter(
      ({ cluster, labels: has }) =>
        cluster === mesh.cluster && Object.entries(labels).every(([name, value]) => has[name] === value),
    );
}
