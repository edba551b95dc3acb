/** Who may act on what: the one place that answers it. */
import type { PolicyRef } from '@meshrelay/api';

/**
 * What a policy may act on, by where it lives.
 * `everywhere`: it is in the management namespace of the management cluster and in no workspace, so it is the administrator's.
 * `commons`: it is in no workspace, and acts on what is in none; one of a workload cluster in that cluster alone.
 * `workspace`: it acts on what its workspace has, and in part on what that imports.
 */
export type PolicyScope =
  | { readonly kind: 'everywhere' }
  | {
      readonly kind: 'commons';
      /** '' where it lives in the management cluster: then on every cluster. */
      readonly cluster: string;
    }
  | {
      readonly kind: 'workspace';
      readonly workspace: string;
      /** The clusters the workspace has a part in; `*` for all. */
      readonly clusters: readonly string[];
    };

/** Whose something is, and who may use it. */
export interface WorkspaceAccess {
  /** The workspace it belongs to; absent where it belongs to none. */
  readonly workspace?: string;
  /** The workspaces that import it, to which it is exported. */
  readonly importedBy?: readonly string[];
}

/** Where something is. */
export interface Placed {
  readonly cluster: string;
}

/** Whether it is for the policy to act on what is here as its owner does. */
export function owns(authority: PolicyScope, { cluster, workspace }: Placed & WorkspaceAccess): boolean {
  switch (authority.kind) {
    case 'everywhere':
      return true;
    case 'commons':
      return workspace === undefined && (authority.cluster === '' || authority.cluster === cluster);
    case 'workspace':
      return workspace === authority.workspace;
  }
}

/** Whether it is another workspace's, and the policy's own workspace imports it. */
export function imports(authority: PolicyScope, { importedBy = [] }: WorkspaceAccess): boolean {
  return authority.kind === 'workspace' && importedBy.includes(authority.workspace);
}

/** Whether a policy may send requests here. What is in no workspace is there for all who are in none. */
export function sees(authority: PolicyScope, workspaceAccess: WorkspaceAccess): boolean {
  switch (authority.kind) {
    case 'everywhere':
      return true;
    case 'commons':
      return workspaceAccess.workspace === undefined;
    case 'workspace':
      return workspaceAccess.workspace === authority.workspace || imports(authority, workspaceAccess);
  }
}

/** The clusters in which a policy may change what proxies do, for policies of workspaces; all others follow from their reference. */
export interface ClusterScope {
  readonly policy: PolicyRef;
  /** `*` for all. */
  readonly clusters: readonly string[];
}

/** The realms of those policies whose reference does not tell it. */
export function clusterScopesOf(
  policies: ReadonlyArray<{ readonly ref: PolicyRef; readonly authority: PolicyScope }>,
): readonly ClusterScope[] {
  return policies.flatMap(({ ref, authority }) =>
    authority.kind === 'workspace' ? [{ policy: ref, clusters: authority.clusters }] : [],
  );
}

/** Whether a policy may change what proxies of a cluster do: one of the management cluster everywhere, any other at home, one of a workspace where that has a part. */
export function actsIn(policy: PolicyRef, cluster: string, clusterScopes: readonly ClusterScope[]): boolean {
  const clusterScope = clusterScopes.find((one) => isSame(one.policy, policy));
  if (clusterScope === undefined) return policy.cluster === '' || policy.cluster === cluster;
  return clusterScope.clusters.includes('*') || clusterScope.clusters.includes(cluster);
}

function isSame(a: PolicyRef, b: PolicyRef): boolean {
  return a === b || (a.name === b.name && a.namespace === b.namespace && a.cluster === b.cluster && a.kind === b.kind);
}
