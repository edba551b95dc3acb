/** Adds authority to a graph: workspaces, what they share, and what each policy may act on. */
import { type Collection, key, type Read } from '@meshrelay/plugin';
import type { Graph } from '../../graph/collection.ts';
import type { FleetState } from '../../store/fleet-state.ts';
import type { PolicyScope, WorkspaceAccess } from './authority.ts';
import { resolveShares, type Shared, type Shares, workspaceAccessOf } from './shares.ts';
import { type CheckedObject, counts, resolveWorkspaces, type Workspaces } from './workspaces.ts';

export interface Authorities {
  readonly workspaces: Workspaces;
  readonly shares: Shares;
  /** What each valid policy may act on, under the policies' keys. */
  readonly ofPolicy: Collection<PolicyScope>;
  /** The namespace of Workspaces and of the administrator's policies. */
  readonly managementNamespace: string;
  /** The workspace that owns a destination, and those that import it. */
  workspaceAccess(read: Read, destination: Shared & { readonly cluster: string }): WorkspaceAccess;
  /** The workspace that owns a mesh: the namespace of its control plane decides. */
  workspaceAccessOfMesh(read: Read, mesh: { readonly cluster: string; readonly namespace: string }): WorkspaceAccess;
}

/**
 * @param checked all valid policies
 * @param managementNamespace policies of the management cluster that are in this namespace and in no workspace belong
 * to the administrator
 */
export function resolveAuthorities(
  graph: Graph,
  fleetState: Pick<FleetState, 'namespaces'>,
  checked: Collection<CheckedObject>,
  managementNamespace: string,
): Authorities {
  const workspaces = resolveWorkspaces(graph, fleetState, checked, managementNamespace);
  const shares = resolveShares(graph, checked, workspaces);
  const ofPolicy = graph.derive('workspaces/policies', checked, ({ ref }, read): PolicyScope => {
    const { cluster, namespace } = ref;
    const namespaceOwner = workspaces.namespaceOwnerOf(read, cluster, namespace);
    if (namespaceOwner === undefined)
      return counts(ref, managementNamespace) ? { kind: 'global' } : { kind: 'unassigned', cluster };
    const { clusters = [] } = read.get(workspaces.all, key(namespaceOwner.workspace)) ?? {};
    return { kind: 'workspace', workspace: namespaceOwner.workspace, clusters };
  });
  return {
    workspaces,
    shares,
    ofPolicy,
    managementNamespace,
    workspaceAccess: (read, destination) => workspaceAccessOf(read, workspaces, shares, destination),
    workspaceAccessOfMesh: (read, { cluster, namespace }) => {
      const namespaceOwner = workspaces.namespaceOwnerOf(read, cluster, namespace);
      return namespaceOwner === undefined ? {} : { workspace: namespaceOwner.workspace };
    },
  };
}
