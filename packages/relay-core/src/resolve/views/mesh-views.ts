/** Meshes in their virtual meshes. */
import type { TlsMode } from '@meshrelay/api';
import {
  type Collection,
  type GatewayView,
  type Key,
  key,
  type MeshFacts,
  type MeshView,
  type OpenGatewayView,
  type PresentView,
  type Read,
} from '@meshrelay/plugin';
import { mtlsMode } from '../../fields/traffic/mtls.ts';
import { hostnameSuffixOf } from '../../fields/virtual-mesh/federation.ts';
import { virtualMeshParts } from '../../fields/virtual-mesh/mod.ts';
import type { Graph } from '../../graph/collection.ts';
import type { LoadedPlugin } from '../../plugin/registry.ts';
import { type FleetState, SETTINGS_KEY } from '../../store/fleet-state.ts';
import type { AccessPlan } from '../access/mod.ts';
import { indexPresent, presentView } from '../inventory/mod.ts';
import type { ResolveContext } from '../resolve-context.ts';
import { type CheckedVirtualMesh, federatingTypes } from '../virtual-meshes/mod.ts';
import { exportedHosts, type GatewayAdmissions, gatewayAdmissions } from './exported-hosts.ts';

/** By mesh key; members of virtual meshes only. */
export function meshViews(
  graph: Graph,
  { present, tlsModeByDefault }: Pick<FleetState, 'present' | 'tlsModeByDefault'>,
  resolveContext: ResolveContext,
  access: Collection<AccessPlan>,
  plugins: readonly LoadedPlugin[],
): Collection<MeshView> {
  const { meshes, members, virtualMeshes, gateways, federation } = resolveContext;
  const federates = federatingTypes(plugins);
  const concerning = indexPresent(graph, present, plugins, {
    name: 'resolve/present-for-meshes',
    bucketsOf: (plugin, object) => (plugin.concernsMesh?.(object) === true ? [[]] : []),
  });
  return graph.inline('resolve/mesh-views', virtualMeshes.memberships, (membership, read): MeshView | undefined => {
    const mesh = read.get(meshes, membership.mesh);
    const virtualMesh = read.get(virtualMeshes.all, membership.virtualMesh);
    if (mesh === undefined || virtualMesh === undefined) return undefined;
    return meshViewOf(mesh, virtualMesh, {
      gateways: read.get(gateways, mesh.key)?.gateways ?? [],
      exportsAnything: read.count(federation.exportsOfMesh, mesh.key) > 0,
      ...gatewayAdmissions(read, mesh, resolveContext, federates),
      importsAnything: read.count(federation.importsOfMesh, mesh.key) > 0,
      present: read.by(concerning, key(mesh.type, mesh.cluster)).map(([, one]) => presentView(one)),
      trustDomains: read.get(members.trustDomains, membership.virtualMesh) ?? [],
      open: openGateways(read, resolveContext, access, mesh.key),
      tlsModeByDefault: read.get(tlsModeByDefault, SETTINGS_KEY),
    });
  });
}

function meshViewOf(
  mesh: MeshFacts,
  { object: { spec }, ref }: CheckedVirtualMesh,
  found: {
    readonly gateways: readonly GatewayView[];
    readonly exportsAnything: boolean;
    readonly importsAnything: boolean;
    readonly present: readonly PresentView[];
    /** Of all members. */
    readonly trustDomains: readonly string[];
    readonly open: readonly OpenGatewayView[];
    readonly tlsModeByDefault: TlsMode | undefined;
  } & GatewayAdmissions,
): MeshView {
  const foreignDomains = found.trustDomains.filter((domain) => domain !== mesh.trustDomain);
  return {
    mesh,
    virtualMesh: ref,
    ...virtualMeshParts(spec, { hasOtherTrustDomains: foreignDomains.length > 0 }),
    ...(found.tlsModeByDefault === undefined ? {} : { mtlsByDefault: mtlsMode(found.tlsModeByDefault) }),
    eastWestGateways: found.gateways,
    openGateways: found.open,
    exportedHosts: exportedHosts(mesh, hostnameSuffixOf(spec.federation), found),
    importsAnything: found.importsAnything,
    present: found.present,
    callerTrustDomains: found.exportsAnything || found.admitsVirtualDestinations ? foreignDomains : [],
  };
}

/**
 * Gateways for requests from outside and from other clusters. If an access policy allows some callers, all others are
 * meant to stay out.
 */
function openGateways(
  read: Read,
  { ingress, gateways, destinations }: ResolveContext,
  access: Collection<AccessPlan>,
  mesh: Key,
): OpenGatewayView[] {
  const between = (read.get(gateways, mesh)?.destinations ?? []).flatMap(
    (one) => read.get(destinations.known, one) ?? [],
  );
  const all = new Map([...(read.get(ingress.ofMesh, mesh) ?? []), ...between].map((one) => [one.key, one]));
  return [...all.values()].flatMap(({ key: gateway, name, namespace, workloadSelector }) => {
    const limited = (read.get(access, gateway)?.rules ?? []).some(({ action }) => action === 'ALLOW');
    return limited || Object.keys(workloadSelector).length === 0 ? [] : [{ name, namespace, workloadSelector }];
  });
}
