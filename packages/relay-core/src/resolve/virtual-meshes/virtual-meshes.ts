/** Virtual meshes and their members. A mesh belongs to one virtual mesh: the one accepted first. */
import type { ObjectRef, PolicyRef, Report, VirtualMesh } from '@meshrelay/api';
import {
  type Collection,
  formatPolicyRef,
  type Group,
  type Index,
  type Key,
  key,
  type MeshFacts,
  type Read,
} from '@meshrelay/plugin';
import type { Graph } from '../../graph/collection.ts';
import { comparePrecedence, type Precedence } from '../../store/precedence.ts';
import type { CheckedPolicy } from '../policies/mod.ts';
import { type Authorities, owns, type RejectedTrustDomain, type WorkspaceAccess } from '../workspaces/mod.ts';

export type CheckedVirtualMesh = CheckedPolicy<VirtualMesh>;

/** The virtual mesh that a mesh belongs to. */
export interface Membership {
  readonly mesh: Key;
  readonly cluster: string;
  readonly virtualMesh: Key;
  readonly ref: PolicyRef;
}

export interface VirtualMeshes {
  readonly all: Collection<CheckedVirtualMesh>;
  /** Names of Mesh objects, in the bucket `key(namespace, name)`; all of them are in the management namespace. */
  readonly byRef: Index<string>;
  /** The management namespace. */
  readonly namespace: string;
  /** By mesh key. */
  readonly memberships: Collection<Membership>;
  /** The members of a virtual mesh, by its key. */
  readonly members: Index<Membership>;
  /** The members of a virtual mesh in a cluster, under `key(virtualMeshKey, cluster)`. */
  readonly inClusters: Collection<Group<Membership>>;
  /**
   * Members that a virtual mesh names and does not get, by its key: they are unknown, or belong to another virtual
   * mesh.
   */
  readonly problems: Collection<readonly Report[]>;
}

interface Claim extends Precedence {
  readonly mesh: Key;
  readonly cluster: string;
  readonly virtualMesh: Key;
}

/**
 * @param known the management namespace; the meshes and the names of their objects in it; the meshes with a rejected
 * trust domain, by mesh key
 */
export function resolveVirtualMeshes(
  graph: Graph,
  checked: Collection<CheckedPolicy>,
  authorities: Authorities,
  {
    meshes,
    meshNames,
    distrusted,
    namespace,
  }: {
    readonly namespace: string;
    readonly meshes: Collection<MeshFacts>;
    readonly meshNames: Collection<string>;
    readonly distrusted: Collection<RejectedTrustDomain>;
  },
): VirtualMeshes {
  const all = graph.derive('resolve/virtual-meshes', checked, (policy) =>
    policy.object.kind === 'VirtualMesh' ? (policy as CheckedVirtualMesh) : undefined,
  );
  const byRef = graph.index(meshNames, 'resolve/mesh-by-reference', (name) => [key(namespace, name)]);
  const held = (read: Read, virtualMesh: Key, mesh: Key): Held => {
    const facts = read.get(meshes, mesh);
    const authority = read.get(authorities.ofPolicy, virtualMesh);
    if (facts === undefined || authority === undefined) return { granted: false, cluster: '' };
    const { cluster } = facts;
    const workspaceAccess = authorities.workspaceAccessOfMesh(read, facts);
    return { granted: owns(authority, { cluster, ...workspaceAccess }), cluster, ...workspaceAccess };
  };
  const claims = graph.deriveMany('resolve/claims', all, ({ object, ref, sequence }, read, virtualMesh) =>
    object.spec.meshes.flatMap((member) =>
      read
        .by(byRef, refKey(member))
        .map(([mesh]) => ({ mesh, ...held(read, virtualMesh, mesh) }))
        .filter(({ mesh, granted }) => granted && !read.has(distrusted, mesh))
        .map(({ mesh, cluster }): readonly [Key, Claim] => [
          key(virtualMesh, mesh),
          { mesh, cluster, virtualMesh, ref, sequence },
        ]),
    ),
  );
  const claimants = graph.group(
    'resolve/claimants',
    claims,
    (claim): Array<readonly [Key, Claim]> => [[claim.mesh, claim]],
    comparePrecedence,
  );
  const memberships = graph.derive('resolve/memberships', claimants, ([winner]): Membership | undefined =>
    winner === undefined
      ? undefined
      : { mesh: winner.mesh, cluster: winner.cluster, virtualMesh: winner.virtualMesh, ref: winner.ref },
  );
  return {
    all,
    byRef,
    namespace,
    memberships,
    members: graph.index(memberships, 'resolve/members', ({ virtualMesh }) => [virtualMesh]),
    inClusters: graph.group(
      'resolve/members-in-clusters',
      memberships,
      (one): Array<readonly [Key, Membership]> => [[key(one.virtualMesh, one.cluster), one]],
    ),
    problems: graph.derive('resolve/virtual-mesh-problems', all, ({ object, ref }, read, virtualMesh) => {
      const reports = object.spec.meshes.flatMap((member, position): Report[] => {
        const field = `spec.meshes[${position}]`;
        const known = read.by(byRef, refKey(member));
        if (known.length === 0) return [unknownMesh(field, member, namespace)];
        return known.flatMap(([mesh]) => {
          const { granted, workspace } = held(read, virtualMesh, mesh);
          if (!granted) return [foreignMesh(field, member, ref, workspace)];
          const rejection = read.get(distrusted, mesh);
          if (rejection !== undefined) return [distrustedMesh(field, member, rejection)];
          const claimant = read.get(memberships, mesh);
          return claimant === undefined || claimant.virtualMesh === virtualMesh
            ? []
            : [takenMesh(field, member, claimant.ref)];
        });
      });
      const unknown = federatedTo(object).filter(({ mesh }) => read.count(byRef, refKey(mesh)) === 0);
      const all = [...reports, ...unknown.map(({ field, mesh }) => unknownMesh(field, mesh, namespace))];
      return all.length === 0 ? undefined : all;
    }),
  };
}

/** The meshes that a virtual mesh names to federate destinations to. */
function federatedTo({ spec }: VirtualMesh): ReadonlyArray<{ readonly field: string; readonly mesh: ObjectRef }> {
  return (spec.federation?.selectors ?? []).flatMap(({ meshes = [] }, position) =>
    meshes.map((mesh, index) => ({ field: `spec.federation.selectors[${position}].meshes[${index}]`, mesh })),
  );
}

/** Whether a virtual mesh may include a mesh, with the mesh's cluster and workspace. */
interface Held extends WorkspaceAccess {
  readonly granted: boolean;
  readonly cluster: string;
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

/** Where a Mesh object is looked up. */
export function refKey({ namespace, name }: ObjectRef): Key {
  return key(namespace, name);
}

/** A hint for references to a namespace that never has Mesh objects; otherwise empty. */
export function wrongNamespace({ namespace }: ObjectRef, management: string): string {
  return namespace === management ? '' : ` (Mesh objects are in namespace ${management}; use that)`;
}

function unknownMesh(field: string, ref: ObjectRef, management: string): Report {
  const { name, namespace } = ref;
  return {
    code: 'REF_NOT_FOUND',
    severity: 'error',
    field,
    message: `no Mesh ${namespace}/${name} is known${wrongNamespace(ref, management)}; it becomes a member when its cluster reports it (to list meshes: kubectl get meshes, or meshctl discover for files)`,
    related: [{ kind: 'Mesh', name, namespace, cluster: '' }],
  };
}

/** A mesh belongs to the workspace of its control plane's namespace. */
function foreignMesh(
  field: string,
  { name, namespace }: ObjectRef,
  { cluster }: PolicyRef,
  workspace: string | undefined,
): Report {
  const message =
    workspace !== undefined
      ? `the control plane of Mesh ${name} belongs to workspace ${workspace}, and this VirtualMesh does not; move it to a namespace of that workspace, or to the management namespace`
      : cluster !== ''
        ? `a VirtualMesh in cluster ${cluster} can only have meshes of that cluster, not ${name}; move it to the management cluster`
        : `the control plane of Mesh ${name} belongs to no workspace; move the VirtualMesh to the management namespace`;
  const related = [{ kind: 'Mesh', name, namespace, cluster: '' }];
  return { code: 'REF_NOT_PERMITTED', severity: 'error', field, message, related };
}

function distrustedMesh(field: string, { name, namespace }: ObjectRef, { why }: RejectedTrustDomain): Report {
  return {
    code: 'TRUST_DOMAIN_NOT_ALLOWED',
    severity: 'error',
    field,
    message: `Mesh ${name} is not a member, and its identities are not accepted: ${why}`,
    related: [{ kind: 'Mesh', name, namespace, cluster: '' }],
  };
}

function takenMesh(field: string, { name }: ObjectRef, holder: PolicyRef): Report {
  return {
    code: 'CONFLICT',
    severity: 'error',
    field,
    message: `Mesh ${name} already belongs to ${formatPolicyRef(holder)}, and a mesh can belong to one VirtualMesh only; remove it from one of them`,
    related: [holder],
  };
}
