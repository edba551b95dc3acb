/** Virtual meshes and their members. A mesh belongs to one virtual mesh: the one accepted first. */
import type { ObjectRef, PolicyRef, Report, VirtualMesh } from '@meshrelay/api';
import type { Collection, Graph, Group, Index } from '../graph/collection.ts';
import { type Key, key, partsOf } from '../graph/key.ts';
import type { MeshFacts } from '../plugin/views.ts';
import type { CheckedPolicy } from './policies.ts';
import { comparePrecedence, type Precedence } from './precedence.ts';

export type CheckedVirtualMesh = CheckedPolicy<VirtualMesh>;

/** The virtual mesh that has a mesh. */
export interface Membership {
  readonly mesh: Key;
  readonly virtualMesh: Key;
  readonly ref: PolicyRef;
}

export interface VirtualMeshes {
  readonly all: Collection<CheckedVirtualMesh>;
  /** By mesh key. */
  readonly memberships: Collection<Membership>;
  /** The members of a virtual mesh, by its key. */
  readonly members: Index<Membership>;
  /** Members a virtual mesh names and does not have, by its key: nobody knows them, or another virtual mesh has them. */
  readonly problems: Collection<readonly Report[]>;
}

interface Claim extends Precedence {
  readonly mesh: Key;
  readonly virtualMesh: Key;
}

/**
 * @param meshNames the names of Mesh objects in the management namespace, by mesh key
 */
export function resolveVirtualMeshes(
  graph: Graph,
  checked: Collection<CheckedPolicy>,
  meshNames: Collection<string>,
): VirtualMeshes {
  const all = graph.derive('resolve/virtual-meshes', checked, (policy) =>
    policy.object.kind === 'VirtualMesh' ? (policy as CheckedVirtualMesh) : undefined,
  );
  const meshByName = graph.index(meshNames, 'resolve/mesh-by-name', (name) => [key(name)]);
  const claims = graph.deriveMany('resolve/claims', all, ({ object, ref, sequence }, read, virtualMesh) =>
    object.spec.meshes.flatMap((member) =>
      read
        .by(meshByName, key(member.name))
        .filter(([mesh]) => mayHave(ref, mesh))
        .map(([mesh]): readonly [Key, Claim] => [key(virtualMesh, mesh), { mesh, virtualMesh, ref, sequence }]),
    ),
  );
  const claimants = graph.group(
    'resolve/claimants',
    claims,
    (claim): Array<readonly [Key, Claim]> => [[claim.mesh, claim]],
    comparePrecedence,
  );
  const memberships = graph.derive('resolve/memberships', claimants, ([winner]): Membership | undefined =>
    winner === undefined ? undefined : { mesh: winner.mesh, virtualMesh: winner.virtualMesh, ref: winner.ref },
  );
  return {
    all,
    memberships,
    members: graph.index(memberships, 'resolve/members', ({ virtualMesh }) => [virtualMesh]),
    problems: graph.derive('resolve/virtual-mesh-problems', all, ({ object, ref }, read, virtualMesh) => {
      const reports = object.spec.meshes.flatMap((member, position): Report[] => {
        const field = `spec.meshes[${position}]`;
        const found = read.by(meshByName, key(member.name)).filter(([mesh]) => mayHave(ref, mesh));
        if (found.length === 0) return [unknownMesh(field, member)];
        return found.flatMap(([mesh]) => {
          const claimant = read.get(memberships, mesh);
          return claimant === undefined || claimant.virtualMesh === virtualMesh
            ? []
            : [takenMesh(field, member, claimant.ref)];
        });
      });
      return reports.length === 0 ? undefined : reports;
    }),
  };
}

/** A virtual mesh of a workload cluster can have that cluster's meshes only; one of the management cluster any. */
function mayHave(virtualMesh: PolicyRef, mesh: Key): boolean {
  return virtualMesh.cluster === '' || partsOf(mesh)[0] === virtualMesh.cluster;
}

/** The meshes of a virtual mesh, as facts. */
export function membersOf(
  read: {
    by<V>(index: Index<V>, bucket: Key): ReadonlyArray<readonly [Key, V]>;
    get<V>(collection: Collection<V>, key: Key): V | undefined;
  },
  virtualMeshes: VirtualMeshes,
  meshes: Collection<MeshFacts>,
  virtualMesh: Key,
): Group<MeshFacts> {
  return read.by(virtualMeshes.members, virtualMesh).flatMap(([mesh]) => {
    const facts = read.get(meshes, mesh);
    return facts === undefined ? [] : [facts];
  });
}

function unknownMesh(field: string, { name, namespace }: ObjectRef): Report {
  return {
    code: 'MISSING_REFERENCE',
    severity: 'error',
    field,
    message: `no Mesh ${namespace}/${name} is known; it becomes a member once its cluster has reported it (meshctl describe lists the meshes there are)`,
    related: [{ kind: 'Mesh', name, namespace, cluster: '' }],
  };
}

function takenMesh(field: string, { name }: ObjectRef, holder: PolicyRef): Report {
  return {
    code: 'CONFLICT',
    severity: 'error',
    field,
    message: `Mesh ${name} already belongs to VirtualMesh ${holder.namespace}/${holder.name}, and a mesh belongs to one; remove it from one of them`,
    related: [holder],
  };
}
