/**
 * The members of virtual meshes by the property that is read, so that a new member affects only readers of that
 * property.
 */
import type { IpFamily } from '@meshrelay/api';
import { type Collection, type Key, key, type MeshFacts, type Read } from '@meshrelay/plugin';
import type { Graph } from '../../graph/collection.ts';
import type { VirtualMeshes } from './virtual-meshes.ts';

export interface Members {
  /**
   * The trust domains of a virtual mesh's members, each once and sorted, by its key: a new member seldom changes them.
   */
  readonly trustDomains: Collection<readonly string[]>;
  /** Members of a virtual mesh that have a trust domain. */
  ofTrustDomain(read: Read, virtualMesh: Key, trustDomain: string): readonly MeshFacts[];
  /** Members of a virtual mesh that are in a cluster. */
  inCluster(read: Read, virtualMesh: Key, cluster: string): readonly MeshFacts[];
  /** Members of a virtual mesh whose pods have addresses of one family only. */
  withFamily(read: Read, virtualMesh: Key, family: IpFamily): readonly MeshFacts[];
}

interface Member {
  readonly virtualMesh: Key;
  readonly mesh: MeshFacts;
}

export function indexMembers(
  graph: Graph,
  { all, memberships, members }: Pick<VirtualMeshes, 'all' | 'memberships' | 'members'>,
  meshes: Collection<MeshFacts>,
): Members {
  const known = graph.derive('resolve/known-members', memberships, (membership, read): Member | undefined => {
    const mesh = read.get(meshes, membership.mesh);
    return mesh === undefined ? undefined : { virtualMesh: membership.virtualMesh, mesh };
  });
  const alike = graph.index(
    known,
    'resolve/members-alike',
    ({ virtualMesh, mesh: { trustDomain, cluster, ipFamilies } }) => [
      key(virtualMesh, 'trust domain', trustDomain),
      key(virtualMesh, 'cluster', cluster),
      ...(ipFamilies.length === 1 ? ipFamilies.map((family) => key(virtualMesh, 'family', family)) : []),
    ],
  );
  return {
    trustDomains: graph.derive('resolve/trust-domains', all, (_virtualMesh, read, id) => {
      const found = read.by(members, id).flatMap(([mesh]) => read.get(known, mesh)?.mesh.trustDomain ?? []);
      return found.length === 0 ? undefined : [...new Set(found)].sort();
    }),
    ofTrustDomain: (read, virtualMesh, domain) =>
      read.by(alike, key(virtualMesh, 'trust domain', domain)).map(([, { mesh }]) => mesh),
    inCluster: (read, virtualMesh, cluster) =>
      read.by(alike, key(virtualMesh, 'cluster', cluster)).map(([, { mesh }]) => mesh),
    withFamily: (read, virtualMesh, family) =>
      read.by(alike, key(virtualMesh, 'family', family)).map(([, { mesh }]) => mesh),
  };
}
