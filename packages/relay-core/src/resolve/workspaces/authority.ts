/** Who may act on what: the only module that decides it. */
import type { PolicyRef } from '@meshrelay/api';

/**
 * What a policy may act on, by where it is.
 * `everywhere`: the policy is in the management namespace of the management cluster and in no workspace, so it belongs
 * to the administrator.
 * `unassigned`: the policy is in no workspace, and acts on objects in no workspace. A policy of a workload cluster acts
 * in that cluster only.
 * `workspace`: the policy acts on the objects of its workspace, and in part on what the workspace imports.
 */
export type PolicyScope =
  | { readonly kind: 'global' }
  | {
      readonly kind: 'unassigned';
      /** Empty if the policy is in the management cluster: it then acts on every cluster. */
      readonly cluster: string;
    }
  | {
      readonly kind: 'workspace';
      readonly workspace: string;
      /** The clusters that the workspace includes; `*` means all. */
      readonly clusters: readonly string[];
    };

/** The owner of an object, and which workspaces may use it. */
export interface WorkspaceAccess {
  /** The workspace that owns the object; absent if no workspace owns it. */
  readonly workspace?: string;
  /** The workspaces that import the object and to which it is exported. */
  readonly importedBy?: readonly string[];
}

/** Where an object is. */
export interface Placed {
  readonly cluster: string;
}

/** Whether the policy may act on an object here the way its owner does. */
export function owns(authority: PolicyScope, { cluster, workspace }: Placed & WorkspaceAccess): boolean {
  switch (authority.kind) {
    case 'global':
      return true;
    case 'unassigned':
      return workspace === undefined && (authority.cluster === '' || authority.cluster === cluster);
    case 'workspace':
      return workspace === authority.workspace;
  }
}

/** Whether another workspace owns the object and the policy's workspace imports it. */
export function imports(authority: PolicyScope, { importedBy = [] }: WorkspaceAccess): boolean {
  return authority.kind === 'workspace' && importedBy.includes(authority.workspace);
}

/** Whether a policy may send requests here. Policies in no workspace may use objects in no workspace. */
export function sees(authority: PolicyScope, workspaceAccess: WorkspaceAccess): boolean {
  switch (authority.kind) {
    case 'global':
      return true;
    case 'unassigned':
      return workspaceAccess.workspace === undefined;
    case 'workspace':
      return workspaceAccess.workspace === authority.workspace || imports(authority, workspaceAccess);
  }
}

/**
 * The clusters in which a workspace's policy may change the configuration of proxies. For all other policies they
 * follow from the reference.
 */
export interface ClusterScope {
  readonly policy: PolicyRef;
  /** `*` means all. */
  readonly clusters: readonly string[];
}

/** The scopes of those policies whose reference does not determine it. */
export function clusterScopesOf(
  policies: ReadonlyArray<{ readonly ref: PolicyRef; readonly authority: PolicyScope }>,
): readonly ClusterScope[] {
  return policies.flatMap(({ ref, authority }) =>
    authority.kind === 'workspace' ? [{ policy: ref, clusters: authority.clusters }] : [],
  );
}

/**
 * Whether a policy may change what proxies of a cluster do. A policy of the management cluster may do so everywhere. A
 * policy of a workspace may do so in the clusters of that workspace, any other policy in its own cluster.
 */
export function actsIn(policy: PolicyRef, cluster: string, clusterScopes: readonly ClusterScope[]): boolean {
  const clusterScope = clusterScopes.find((one) => isSame(one.policy, policy));
  if (clusterScope === undefined) return policy.cluster === '' || policy.cluster === cluster;
  return clusterScope.clusters.includes('*') || clusterScope.clusters.includes(cluster);
}

function isSame(a: PolicyRef, b: PolicyRef): boolean {
  return a === b || (a.name === b.name && a.namespace === b.namespace && a.cluster === b.cluster && a.kind === b.kind);
}
