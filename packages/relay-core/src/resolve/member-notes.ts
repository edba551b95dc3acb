/** What keeps members of a virtual mesh from reaching each other although everything is written: trust domains, and DNS. */
import type { Report } from '@meshrelay/api';
import type { Collection, Graph } from '../graph/collection.ts';
import type { MeshFacts } from '../plugin/views.ts';
import type { Federates } from './federating.ts';
import type { Federation } from './federation.ts';
import { collectVerdicts, type Verdict } from './verdict.ts';
import { membersOf, type VirtualMeshes } from './virtual-meshes.ts';

/** Words to a virtual mesh about its members. They change no state: what was asked for is in force. */
export function memberNotes(
  graph: Graph,
  virtualMeshes: VirtualMeshes,
  meshes: Collection<MeshFacts>,
  { exportsOfMesh, importsOfMesh }: Federation,
  federates: Federates,
): Collection<Verdict> {
  const notes = graph.derive('resolve/member-notes', virtualMeshes.memberships, (membership, read) => {
    const mesh = read.get(meshes, membership.mesh);
    if (mesh === undefined || !federates(mesh.type)) return undefined;
    const reports: Report[] = [];
    if (read.count(exportsOfMesh, mesh.key) > 0) {
      const foreign = foreignDomains(mesh, membersOf(read, virtualMeshes, meshes, membership.virtualMesh));
      if (foreign.length > 0) reports.push(foreignTrustDomain(mesh, foreign));
    }
    if (!mesh.capturesDns && read.count(importsOfMesh, mesh.key) > 0) reports.push(namesNotResolved(mesh));
    return reports.length === 0 ? undefined : { ref: membership.ref, mesh, reports };
  });
  return collectVerdicts(graph, 'resolve/member-note-verdicts', notes, ({ ref, mesh, reports }): Verdict[] => [
    { policy: ref, target: { kind: 'Mesh', key: mesh.key }, state: 'ACCEPTED', reports },
  ]);
}

/** Trust domains of other members that a mesh does not take for its own: it refuses them before any policy is asked. */
function foreignDomains(mesh: MeshFacts, members: readonly MeshFacts[]): readonly string[] {
  const accepted = new Set([mesh.trustDomain, ...mesh.trustDomainAliases]);
  const domains = members.map(({ trustDomain }) => trustDomain).filter((domain) => !accepted.has(domain));
  return [...new Set(domains)].sort();
}

function foreignTrustDomain(mesh: MeshFacts, domains: readonly string[]): Report {
  return {
    code: 'FOREIGN_TRUST_DOMAIN',
    severity: 'warning',
    field: 'spec.meshes',
    message: `${nameOf(mesh)} has the trust domain ${mesh.trustDomain} and refuses callers of ${domains.join(', ')}; add them to the trust domain aliases of its configuration`,
  };
}

function namesNotResolved(mesh: MeshFacts): Report {
  return {
    code: 'NAMES_NOT_RESOLVED',
    severity: 'info',
    field: 'spec.federation',
    message: `proxies of ${nameOf(mesh)} do not answer DNS questions, so names of other clusters resolve only where something else does it; switch DNS capture on in its configuration`,
  };
}

function nameOf({ namespace, name, cluster }: MeshFacts): string {
  return `mesh ${namespace}/${name} of cluster ${cluster}`;
}
