/** Reports on Workspaces and WorkspaceSettings. */
import {
  MAX_RELATED,
  type PolicyRef,
  type Report,
  shortList,
  type WorkspaceSettingsSpec,
  type WorkspaceShare,
} from '@meshrelay/api';
import { type Collection, formatPolicyRef, type Key, key, partsOf, type Read } from '@meshrelay/plugin';
import type { Graph } from '../../graph/collection.ts';
import type { FleetState } from '../../store/fleet-state.ts';
import { type Authorities, type CheckedObject, type Claim, counts, type WorkspaceFacts } from '../workspaces/mod.ts';

/** The registered clusters and known namespaces. */
type Registered = Pick<FleetState, 'clusters' | 'namespaces'>;

/** Reports to Workspaces and WorkspaceSettings that have problems, under the policies' keys. */
export function authorityProblems(
  graph: Graph,
  fleetState: Registered,
  checked: Collection<CheckedObject>,
  authorities: Authorities,
): Collection<readonly Report[]> {
  return graph.derive('workspaces/problems', checked, ({ object, ref }, read): readonly Report[] | undefined => {
    const reports =
      object.kind === 'Workspace'
        ? workspaceProblems(read, fleetState, authorities, ref)
        : object.kind === 'WorkspaceSettings'
          ? settingsProblems(read, authorities, ref, object.spec)
          : [];
    return reports.length === 0 ? undefined : reports;
  });
}

function workspaceProblems(
  read: Read,
  fleetState: Registered,
  { workspaces, managementNamespace }: Authorities,
  ref: PolicyRef,
): Report[] {
  if (!counts(ref, managementNamespace)) {
    const message = `a Workspace only takes effect in namespace ${managementNamespace} of the management cluster; move it there`;
    return [{ code: 'REF_NOT_PERMITTED', severity: 'error', field: 'metadata.namespace', message }];
  }
  const facts = read.get(workspaces.all, key(ref.name));
  const lost = new Map<Key, PolicyRef>();
  for (const [id, namespaceOwner] of read.by(workspaces.contested, key(ref.name))) lost.set(id, namespaceOwner.ref);
  for (const { cluster, namespace } of namedClaims(facts)) {
    const namespaceOwner = workspaces.namespaceOwnerOf(read, cluster, namespace);
    if (namespaceOwner !== undefined && namespaceOwner.workspace !== ref.name)
      lost.set(key(cluster, namespace), namespaceOwner.ref);
  }
  const own = (facts?.claims ?? []).filter(
    ({ cluster, namespace }) => namespace?.name === undefined || !lost.has(key(cluster, namespace.name)),
  );
  return [...conflicts(lost), ...unknownNames(read, fleetState, own)];
}

/**
 * A workspace may name a namespace that does not exist yet, and owns it as soon as it does. Otherwise the name is a
 * typo.
 */
function unknownNames(read: Read, { clusters, namespaces }: Registered, claims: readonly Claim[]): Report[] {
  const unknown = new Map<string, Report>();
  for (const { cluster, namespace } of claims) {
    if (cluster === '' || cluster === '*') continue;
    if (!read.has(clusters, key(cluster))) {
      const message = `no cluster ${cluster} is registered; its namespaces belong to the workspace once it is registered`;
      unknown.set(cluster, { code: 'UNKNOWN_CLUSTER', severity: 'warning', field: 'spec.clusters', message });
    } else if (namespace?.name !== undefined && !read.has(namespaces, key(cluster, namespace.name))) {
      const message = `namespace ${namespace.name} does not exist in cluster ${cluster}; it belongs to the workspace once it exists`;
      const report: Report = { code: 'UNKNOWN_NAMESPACE', severity: 'info', field: 'spec.clusters', message };
      unknown.set(key(cluster, namespace.name), report);
    }
  }
  return [...unknown.values()];
}

/** A claim by name can fail even if the namespace is unknown. */
function namedClaims(
  facts: WorkspaceFacts | undefined,
): Array<{ readonly cluster: string; readonly namespace: string }> {
  return (facts?.claims ?? []).flatMap(({ cluster, namespace }) =>
    cluster === '*' || namespace?.name === undefined ? [] : [{ cluster, namespace: namespace.name }],
  );
}

/** One report for each workspace that holds some of the namespaces. */
function conflicts(lost: ReadonlyMap<Key, PolicyRef>): Report[] {
  const byHolder = new Map<string, { readonly holder: PolicyRef; readonly namespaces: Key[] }>();
  for (const [id, holder] of [...lost].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const found = byHolder.get(holder.name) ?? { holder, namespaces: [] };
    byHolder.set(holder.name, found);
    found.namespaces.push(id);
  }
  return [...byHolder.values()].map(({ holder, namespaces }): Report => {
    const shown = shortList(namespaces.map(nameOf), MAX_RELATED);
    const message = `Workspace ${holder.name} was accepted earlier and has ${shown}; a namespace belongs to one workspace, so remove it from one of them`;
    return { code: 'CONFLICT', severity: 'error', field: 'spec.clusters', message, related: [holder] };
  });
}

function nameOf(id: Key): string {
  const [cluster = '', namespace = ''] = partsOf(id);
  return cluster === ''
    ? `namespace ${namespace} of the management cluster`
    : `namespace ${namespace} of cluster ${cluster}`;
}

function settingsProblems(read: Read, authorities: Authorities, ref: PolicyRef, spec: WorkspaceSettingsSpec): Report[] {
  const { workspaces, shares } = authorities;
  const namespaceOwner = workspaces.namespaceOwnerOf(read, ref.cluster, ref.namespace);
  if (namespaceOwner === undefined) {
    const message = `namespace ${ref.namespace} belongs to no workspace, so the settings have no effect; add the namespace to a Workspace`;
    return [{ code: 'REF_NOT_FOUND', severity: 'error', field: 'metadata.namespace', message }];
  }
  const [first] = read.get(shares.settings, key(namespaceOwner.workspace)) ?? [];
  if (first !== undefined && !isSame(first.ref, ref)) {
    const message = `${formatPolicyRef(first.ref)} were accepted earlier, and workspace ${namespaceOwner.workspace} has one; add to those, and delete these`;
    return [{ code: 'CONFLICT', severity: 'error', field: 'spec', message, related: [first.ref] }];
  }
  return [
    ...strangers(read, authorities, 'spec.exportTo', spec.exportTo, namespaceOwner.workspace),
    ...strangers(read, authorities, 'spec.importFrom', spec.importFrom, namespaceOwner.workspace),
    ...(spec.importFrom ?? []).flatMap(({ workspace: { name } }, position): Report[] => {
      if (name === namespaceOwner.workspace || !read.has(workspaces.all, key(name))) return [];
      const { exportTo = [] } = read.get(shares.settings, key(name))?.[0]?.spec ?? {};
      if (exportTo.some(({ workspace }) => workspace.name === namespaceOwner.workspace)) return [];
      const message = `workspace ${name} exports nothing to ${namespaceOwner.workspace} yet; the import takes effect when its WorkspaceSettings list ${namespaceOwner.workspace} in spec.exportTo`;
      return [{ code: 'NOT_EXPORTED', severity: 'error', field: `spec.importFrom[${position}]`, message }];
    }),
  ];
}

/** Workspaces that do not exist, or that are the workspace itself. */
function strangers(
  read: Read,
  { workspaces, managementNamespace }: Authorities,
  field: string,
  shared: readonly WorkspaceShare[] | undefined,
  own: string,
): Report[] {
  return (shared ?? []).flatMap(({ workspace: { name } }, position): Report[] => {
    const at = `${field}[${position}].workspace.name`;
    if (name === own) {
      const message = `${name} is the settings' own workspace, which needs no grant; name another, or remove the item`;
      return [{ code: 'OWN_WORKSPACE', severity: 'warning', field: at, message }];
    }
    if (read.has(workspaces.all, key(name))) return [];
    const message = `no Workspace ${name} exists in namespace ${managementNamespace} of the management cluster, or its spec is invalid; it takes effect when a valid one exists`;
    return [{ code: 'REF_NOT_FOUND', severity: 'error', field: at, message }];
  });
}

function isSame(a: PolicyRef, b: PolicyRef): boolean {
  return a.cluster === b.cluster && a.namespace === b.namespace && a.name === b.name;
}
