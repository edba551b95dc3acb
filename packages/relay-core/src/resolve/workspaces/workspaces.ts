/** Workspaces: which namespaces each claims, and which workspace owns a namespace. */
import type { Policy, PolicyRef, Workspace, WorkspaceNamespace } from '@meshrelay/api';
import { type Collection, type Index, type Key, key, partsOf, type Read } from '@meshrelay/plugin';
import type { Graph } from '../../graph/collection.ts';
import type { FleetState, NamespaceFacts } from '../../store/fleet-state.ts';
import { comparePrecedence, type Precedence } from '../../store/precedence.ts';

/** One entry of a workspace: the namespaces it claims. */
export interface Claim extends Precedence {
  /** The workspace's name. */
  readonly workspace: string;
  /** `*` for every registered cluster. */
  readonly cluster: string;
  /** Undefined: all. */
  readonly namespace: WorkspaceNamespace | undefined;
}

/** The owner of a namespace. */
export interface NamespaceOwner {
  readonly workspace: string;
  readonly ref: PolicyRef;
  /** The workspaces that claim it too, and were accepted later. */
  readonly others: readonly PolicyRef[];
}

/** A valid policy, as this stage needs it. */
export interface CheckedObject extends Precedence {
  readonly object: Policy;
}

export interface Workspaces {
  /** By `key(name)`: the effective workspaces. */
  readonly all: Collection<WorkspaceFacts>;
  /** Owners of known namespaces, by `key(cluster, namespace)`; only of namespaces in some workspace. */
  readonly homes: Collection<NamespaceOwner>;
  /** The same by the name of the workspace. */
  readonly namespaces: Index<NamespaceOwner>;
  /**
   * The same as lists, by the name of the workspace: one value for everything that depends on the namespaces of a
   * workspace.
   */
  readonly callers: Collection<readonly CallersIn[]>;
  /** The same by the workspace and the namespace: `key(workspace, namespace)`. */
  readonly named: Index<NamespaceOwner>;
  /** The same by the name of each workspace whose claim came later. */
  readonly contested: Index<NamespaceOwner>;
  /** The owner of a namespace, known or not. An unknown namespace has no known labels. */
  namespaceOwnerOf(read: Read, cluster: string, namespace: string): NamespaceOwner | undefined;
}

/** The namespaces that a workspace has in a cluster. */
export interface CallersIn {
  readonly cluster: string;
  readonly namespaces: readonly string[];
}

function callersIn(found: ReadonlyArray<readonly string[]>): CallersIn[] {
  return [...Map.groupBy(found, ([cluster = '']) => cluster)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([cluster, own]) => ({ cluster, namespaces: own.map(([, namespace = '']) => namespace).sort() }));
}

/** An effective workspace. */
export interface WorkspaceFacts extends Precedence {
  readonly name: string;
  /** The clusters it includes; `*` means all. */
  readonly clusters: readonly string[];
  readonly claims: readonly Claim[];
}

/**
 * @param checked all valid policies
 * @param managementNamespace where Workspaces are effective: users who may write there are administrators
 */
export function resolveWorkspaces(
  graph: Graph,
  { namespaces }: Pick<FleetState, 'namespaces'>,
  checked: Collection<CheckedObject>,
  managementNamespace: string,
): Workspaces {
  const all = graph.deriveMany('workspaces/all', checked, (policy): Array<readonly [Key, WorkspaceFacts]> => {
    const { object, ref } = policy;
    if (object.kind !== 'Workspace' || !counts(ref, managementNamespace)) return [];
    return [[key(ref.name), factsOf(object, policy)]];
  });
  const claims = graph.deriveMany('workspaces/namespace-rules', all, (workspace, _read, id) =>
    workspace.claims.map((claim, position) => [key(id, String(position)), claim] as const),
  );
  const byBucket = graph.index(claims, 'workspaces/namespace-rules-by-bucket', (claim) => [ANY_CLAIM, bucketOf(claim)]);
  const homes = graph.derive('workspaces/namespace-owners', namespaces, (namespace, read) =>
    homeIn(read, byBucket, namespace),
  );
  const namespacesOf = graph.index(homes, 'workspaces/namespaces-of-workspace', ({ workspace }) => [key(workspace)]);
  return {
    all,
    homes,
    namespaces: namespacesOf,
    callers: graph.derive('workspaces/callers', all, (_workspace, read, id) => {
      const found = read.by(namespacesOf, id).map(([namespace]) => partsOf(namespace));
      return found.length === 0 ? undefined : callersIn(found);
    }),
    named: graph.index(homes, 'workspaces/namespaces-by-name', ({ workspace }, id) => [
      key(workspace, partsOf(id)[1] ?? ''),
    ]),
    contested: graph.index(homes, 'workspaces/namespaces-by-other-claimant', ({ others }) =>
      others.map(({ name }) => key(name)),
    ),
    namespaceOwnerOf: (read, cluster, name) => {
      if (!read.any(byBucket, ANY_CLAIM)) return undefined;
      const id = key(cluster, name);
      if (read.has(namespaces, id)) return read.get(homes, id);
      return homeIn(read, byBucket, { cluster, name, labels: {} });
    },
  };
}

/** All claims. Most fleets have none, and one read then serves all namespaces. */
const ANY_CLAIM = key('any');

/** A Workspace in another namespace would let the authors of that namespace take namespaces of other users. */
export function counts({ cluster, namespace }: PolicyRef, managementNamespace: string): boolean {
  return cluster === '' && namespace === managementNamespace;
}

function factsOf({ spec }: Workspace, { ref, sequence }: Precedence): WorkspaceFacts {
  const claims = spec.clusters.flatMap(({ name: cluster, namespaces = [] }): Claim[] => {
    const required = namespaces.length === 0 ? [undefined] : namespaces.map((one) => (isAll(one) ? undefined : one));
    return required.map((namespace) => ({ workspace: ref.name, cluster, namespace, ref, sequence }));
  });
  const clusters = [...new Set(claims.map(({ cluster }) => cluster))].filter((cluster) => cluster !== '').sort();
  return { name: ref.name, clusters, claims, ref, sequence };
}

function isAll({ name, labels = {} }: WorkspaceNamespace): boolean {
  return name === undefined && Object.keys(labels).length === 0;
}

/** The bucket of a claim: the narrowest one that every namespace it claims reads. */
function bucketOf({ cluster, namespace }: Claim): Key {
  if (namespace === undefined) return key('all', cluster);
  if (namespace.name !== undefined) return key('name', cluster, namespace.name);
  const [label = ['', '']] = Object.entries(namespace.labels ?? {}).sort();
  return key('label', cluster, ...label);
}

function homeIn(
  read: Read,
  claims: Index<Claim>,
  { cluster, name, labels }: NamespaceFacts,
): NamespaceOwner | undefined {
  // "Every cluster" means every workload cluster: a workspace gets namespaces of the management cluster only if it
  // names that cluster.
  const places = cluster === '' ? [''] : [cluster, '*'];
  const found = places
    .flatMap((place) => [
      ...read.by(claims, key('all', place)),
      ...read.by(claims, key('name', place, name)),
      ...Object.entries(labels).flatMap((label) => read.by(claims, key('label', place, ...label))),
    ])
    .map(([, claim]) => claim)
    .filter(({ namespace }) =>
      Object.entries(namespace?.labels ?? {}).every(([label, value]) => labels[label] === value),
    )
    .sort(comparePrecedence);
  const [winner] = found;
  if (winner === undefined) return undefined;
  const others = new Map(
    found.filter(({ workspace }) => workspace !== winner.workspace).map(({ workspace, ref }) => [workspace, ref]),
  );
  return { workspace: winner.workspace, ref: winner.ref, others: [...others.values()] };
}
