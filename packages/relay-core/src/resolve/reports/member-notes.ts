/** Why members of a virtual mesh cannot reach each other although all objects are generated: addresses, and DNS. */
import type { IpFamily, Report } from '@meshrelay/api';
import type { AddressKind, Collection, MeshFacts } from '@meshrelay/plugin';
import type { Graph } from '../../graph/collection.ts';
import { collectDiagnostics, type Diagnostic } from '../diagnostic.ts';
import type { ResolveContext } from '../resolve-context.ts';
import type { Federates } from '../virtual-meshes/mod.ts';

/** Reports to a virtual mesh about its members. They change no state: the policy is effective. */
export function memberNotes(
  graph: Graph,
  { virtualMeshes, members, meshes, federation, endpoints: { kindsOfGateways }, virtualDestinations }: ResolveContext,
  federates: Federates,
): Collection<Diagnostic> {
  const { exportsOfMesh, gatewayExportsOfMesh, importsOfMesh } = federation;
  const notes = graph.derive('resolve/member-notes', virtualMeshes.memberships, (membership, read) => {
    const mesh = read.get(meshes, membership.mesh);
    if (mesh === undefined || !federates(mesh.type)) return undefined;
    const reports: Report[] = [];
    const { gatewayHostnamesOfMesh } = virtualDestinations;
    if (read.count(gatewayExportsOfMesh, mesh.key) + read.count(gatewayHostnamesOfMesh, mesh.key) > 0) {
      const cutOff = cutOffFrom(mesh, read.get(kindsOfGateways, mesh.key) ?? [], (family) =>
        members.withFamily(read, membership.virtualMesh, family),
      );
      if (cutOff.length > 0) reports.push(otherFamily(mesh, cutOff));
    }
    // The federated name of a Service also holds in its own cluster.
    const federatedNames = read.count(importsOfMesh, mesh.key) + read.count(exportsOfMesh, mesh.key);
    if (!mesh.capturesDns && federatedNames > 0) reports.push(namesNotResolved(mesh));
    return reports.length === 0 ? undefined : { ref: membership.ref, mesh, reports };
  });
  return collectDiagnostics(graph, 'resolve/member-note-diagnostics', notes, ({ ref, mesh, reports }): Diagnostic[] => [
    { policy: ref, target: { kind: 'Mesh', key: mesh.key }, state: 'ACCEPTED', reports },
  ]);
}

const FAMILIES = [
  { family: 'IPV4', kind: 'ipv4' },
  { family: 'IPV6', kind: 'ipv6' },
] as const;

/** Members whose pods have no address of a family by which the gateways are reached. */
function cutOffFrom(
  mesh: MeshFacts,
  kinds: readonly AddressKind[],
  withFamily: (family: IpFamily) => readonly MeshFacts[],
): readonly string[] {
  if (kinds.length === 0 || kinds.includes('hostname')) return [];
  const missing = FAMILIES.filter(({ kind }) => !kinds.includes(kind));
  const clusters = missing
    .flatMap(({ family }) => withFamily(family))
    .map(({ cluster }) => cluster)
    .filter((cluster) => cluster !== mesh.cluster);
  return [...new Set(clusters)].sort();
}

function otherFamily(mesh: MeshFacts, clusters: readonly string[]): Report {
  return {
    code: 'ADDRESS_FAMILY_MISMATCH',
    severity: 'warning',
    field: 'spec.federation.eastWestIngressGatewaySelectors',
    message: `gateways of ${nameOf(mesh)} have no address of the IP family of pods in ${clusters.join(', ')}; give their Service an address of that family, or a host name`,
  };
}

function namesNotResolved(mesh: MeshFacts): Report {
  return {
    code: 'NAMES_NOT_RESOLVED',
    severity: 'info',
    field: 'spec.federation',
    message: `proxies of ${nameOf(mesh)} do not answer DNS questions, so federated names resolve only where something else does it; switch DNS capture on in its configuration`,
  };
}

function nameOf({ namespace, name, cluster }: MeshFacts): string {
  return `mesh ${namespace}/${name} of cluster ${cluster}`;
}
