/** The view of a mesh in its virtual mesh. */
import type { GatewayView, MeshFacts, MeshView } from '../plugin/views.ts';
import type { KnownDestination } from './destinations.ts';
import type { CheckedVirtualMesh } from './virtual-meshes.ts';

export function meshViewOf(
  mesh: MeshFacts,
  { object: { spec }, ref }: CheckedVirtualMesh,
  found: {
    readonly gateways: readonly GatewayView[];
    readonly exportsAnything: boolean;
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
    eastWestGateways: found.gateways,
    ingressGateways: found.ingress.flatMap(ingressView),
    exportedHosts: found.exportsAnything ? [`*.${federation?.hostnameSuffix ?? 'global'}`] : [],
    peers: found.peers,
  };
}

function ingressView({ name, namespace, workloadSelector }: KnownDestination): GatewayView[] {
  if (Object.keys(workloadSelector).length === 0) return [];
  return [{ name, namespace, workloadSelector, containerPort: 0, endpoints: [] }];
}
