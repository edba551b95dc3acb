/** Lays out authority in a graph: workspaces, what they share, and what each policy may act on. */
import type { Collection, Graph, Read } from '../../graph/collection.ts';
import { key } from '../../graph/key.ts';
import type { World } from '../../store/world.ts';
import type { Authority, Standing } from './authority.ts';
import { resolveShares, type Shared, type Shares, standingOf } from './shares.ts';
import { type CheckedObject, counts, resolveWorkspaces, type Workspaces } from './workspaces.ts';

export interface Authorities {
  readonly workspaces: Workspaces;
  readonly shares: Shares;
  /** What each policy whose values hold may act on, under the policies' keys. */
  readonly ofPolicy: Collection<Authority>;
  /** Where Workspaces and the administrator's policies are. */
  readonly managementNamespace: string;
  /** Whose a destination is, and who imports it. */
  standing(read: Read, destination: Shared & { readonly cluster: string }): Standing;
  /** Whose a mesh is: its control plane's namespace decides. */
  standingOfMesh(read: Read, mesh: { readonly cluster: string; readonly namespace: string }): Standing;
}

/**
 * @param checked all policies whose values hold
 * @param managementNamespace policies of the management cluster that are there and in no workspace are the administrator's
 */
export function resolveAuthorities(
  graph: Graph,
  world: Pick<World, 'namespaces'>,
  checked: Collection<CheckedObject>,
  managementNamespace: string,
): Authorities {
  const workspaces = resolveWorkspaces(graph, world, checked, managementNamespace);
  const shares = resolveShares(graph, checked, workspaces);
  const ofPolicy = graph.derive('authority/policies', checked, ({ ref }, read): Authority => {
    const { cluster, namespace } = ref;
    const home = workspaces.homeOf(read, cluster, namespace);
    if (home === undefined)
      return counts(ref, managementNamespace) ? { kind: 'everywhere' } : { kind: 'commons', cluster };
    const { clusters = [] } = read.get(workspaces.all, key(home.workspace)) ?? {};
    return { kind: 'workspace', workspace: home.workspace, clusters };
  });
  return {
    workspaces,
    shares,
    ofPolicy,
    managementNamespace,
    standing: (read, destination) => standingOf(read, workspaces, shares, destination),
    standingOfMesh: (read, { cluster, namespace }) => {
      const home = workspaces.homeOf(read, cluster, namespace);
      return home === undefined ? {} : { workspace: home.workspace };
    },
  };
}
