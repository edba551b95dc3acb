/** Which meshes can use a virtual destination: the members of a virtual mesh, or named meshes that belong to one. */
import type { ObjectRef, Report, ResourceRef, VirtualDestinationSpec } from '@meshrelay/api';
import { type Key, partsOf, type Read } from '@meshrelay/plugin';
import { policyKey } from '../../store/fleet-state.ts';
import { refKey, type VirtualMeshes, wrongNamespace } from '../virtual-meshes/mod.ts';
import { actsIn, clusterScopesOf, type PolicyScope } from '../workspaces/mod.ts';
import type { CheckedVirtualDestination } from './selected.ts';

/** Not a list of the members: a mesh that joins a virtual mesh changes no scope. */
export interface Scope {
  /** The virtual mesh of all of them; absent if no mesh can use the virtual destination. */
  readonly virtualMesh?: Key;
  /**
   * Keys of the members that can use it; absent: all. A virtual destination of a workload cluster is limited to that
   * cluster's meshes in any case.
   */
  readonly only?: readonly Key[];
  /** Why meshes are excluded. */
  readonly reports: readonly Report[];
}

export function scopeOf({ object }: CheckedVirtualDestination, virtualMeshes: VirtualMeshes, read: Read): Scope {
  const { virtualMesh, meshList } = object.spec;
  return virtualMesh === undefined
    ? listed(meshList?.meshes ?? [], virtualMeshes, read)
    : ofVirtualMesh(virtualMesh, virtualMeshes, read);
}

function ofVirtualMesh({ name, namespace }: ObjectRef, { all }: VirtualMeshes, read: Read): Scope {
  const ref = { kind: 'VirtualMesh', name, namespace, cluster: '' };
  const virtualMesh = policyKey(ref);
  if (read.has(all, virtualMesh)) return { virtualMesh, reports: [] };
  const message = `no VirtualMesh ${namespace}/${name} is known, or its spec is invalid; it takes effect when a valid one exists`;
  return { reports: [missing('spec.virtualMesh', message, ref)] };
}

/**
 * The first mesh that belongs to a virtual mesh determines it; only meshes of the same virtual mesh can reach each
 * other.
 */
function listed(meshes: readonly ObjectRef[], virtualMeshes: VirtualMeshes, read: Read): Scope {
  const reports: Report[] = [];
  const only = new Set<Key>();
  let virtualMesh: Key | undefined;
  for (const [position, { name, namespace }] of meshes.entries()) {
    const field = `spec.meshList.meshes[${position}]`;
    const ref = { kind: 'Mesh', name, namespace, cluster: '' };
    const found = read.by(virtualMeshes.byRef, refKey({ name, namespace }));
    if (found.length === 0)
      reports.push(
        missing(
          field,
          `no Mesh ${namespace}/${name} is known${wrongNamespace({ name, namespace }, virtualMeshes.namespace)}; it can use the name once the mesh is discovered`,
          ref,
        ),
      );
    for (const [mesh] of found) {
      const owner = read.get(virtualMeshes.memberships, mesh)?.virtualMesh;
      virtualMesh ??= owner;
      if (owner !== undefined && owner === virtualMesh) only.add(mesh);
      else {
        const other = owner === undefined ? 'no virtual mesh' : 'a different virtual mesh';
        const message = `Mesh ${namespace}/${name} belongs to ${other}, so it cannot reach the others; add them to one virtual mesh`;
        reports.push(missing(field, message, ref));
      }
    }
  }
  return virtualMesh === undefined ? { reports } : { virtualMesh, only: [...only].sort(), reports };
}

/** A problem that ends without a change of the policy. */
function missing(field: string, message: string, ref: ResourceRef): Report {
  return { code: 'REF_NOT_FOUND', severity: 'error', field, message, related: [ref] };
}

/** Whether a member of the scope's virtual mesh can use what the policy defines. */
export function inScope({ only }: Scope, policy: Acting, mesh: Key): boolean {
  return actsIn(policy.ref, clusterOf(mesh), clusterScopesOf([policy])) && (only === undefined || only.includes(mesh));
}

/** A policy, with what it may act on. */
export interface Acting {
  readonly ref: ResourceRef;
  readonly authority: PolicyScope;
}

/** Whether callers outside the cluster can use it: only then do the cluster's gateways admit requests. */
export function hasRemoteCallers(
  { virtualMesh, only }: Scope,
  { authority }: Acting,
  cluster: string,
  { members }: VirtualMeshes,
  read: Read,
): boolean {
  if (virtualMesh === undefined || !isOutOfScope(authority, cluster)) return false;
  return only === undefined ? read.count(members, virtualMesh) > 1 : only.some((mesh) => clusterOf(mesh) !== cluster);
}

function isOutOfScope(authority: PolicyScope, cluster: string): boolean {
  switch (authority.kind) {
    case 'global':
      return true;
    case 'unassigned':
      return authority.cluster === '';
    case 'workspace':
      return authority.clusters.some((one) => one !== cluster);
  }
}

function clusterOf(mesh: Key): string {
  return partsOf(mesh)[0] ?? '';
}

/** The field that defines which meshes can use it. */
export function scopeField({ virtualMesh }: VirtualDestinationSpec): string {
  return virtualMesh === undefined ? 'spec.meshList' : 'spec.virtualMesh';
}
