/** What workspaces share: the settings of each, and which destinations they let other workspaces use. */
import type { WorkspaceResource, WorkspaceSettings, WorkspaceSettingsSpec, WorkspaceShare } from '@meshrelay/api';
import { type Collection, type Group, type Key, key, type Read } from '@meshrelay/plugin';
import type { Graph } from '../../graph/collection.ts';
import { comparePrecedence, type Precedence } from '../../store/precedence.ts';
import type { WorkspaceAccess } from './authority.ts';
import type { CheckedObject, Workspaces } from './workspaces.ts';

/** Settings of a workspace. */
export interface SettingsFacts extends Precedence {
  readonly workspace: string;
  readonly spec: WorkspaceSettingsSpec;
}

export interface Shares {
  /** The settings of each workspace that has any, by `key(workspace)`; the effective settings come first. */
  readonly settings: Collection<Group<SettingsFacts>>;
  /** Which workspaces may use a destination of a workspace. */
  importersOf(read: Read, workspace: string, destination: Shared): readonly string[];
}

/** The properties by which shares select destinations. */
export interface Shared {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
}

export function resolveShares(graph: Graph, checked: Collection<CheckedObject>, workspaces: Workspaces): Shares {
  const placed = graph.derive('workspaces/settings-by-workspace', checked, ({ object, ref, sequence }, read) => {
    if (object.kind !== 'WorkspaceSettings') return undefined;
    const namespaceOwner = workspaces.namespaceOwnerOf(read, ref.cluster, ref.namespace);
    if (namespaceOwner === undefined) return undefined;
    const { spec }: WorkspaceSettings = object;
    return { workspace: namespaceOwner.workspace, spec, ref, sequence };
  });
  const settings = graph.group(
    'workspaces/settings',
    placed,
    (one): Array<readonly [Key, SettingsFacts]> => [[key(one.workspace), one]],
    comparePrecedence,
  );
  const settingsOf = (read: Read, workspace: string): WorkspaceSettingsSpec =>
    read.get(settings, key(workspace))?.[0]?.spec ?? {};
  return {
    settings,
    importersOf: (read, workspace, destination) => {
      const { exportTo = [] } = settingsOf(read, workspace);
      const offered = new Set(
        exportTo.filter((share) => covers(share, destination)).map((share) => share.workspace.name),
      );
      offered.delete(workspace);
      return [...offered]
        .filter((importer) => {
          const { importFrom = [] } = settingsOf(read, importer);
          return importFrom.some((share) => share.workspace.name === workspace && covers(share, destination));
        })
        .sort();
    },
  };
}

/** The workspace that owns a destination, and those that import it. */
export function workspaceAccessOf(
  read: Read,
  workspaces: Workspaces,
  shares: Shares,
  destination: Shared & { readonly cluster: string },
): WorkspaceAccess {
  const namespaceOwner = workspaces.namespaceOwnerOf(read, destination.cluster, destination.namespace);
  if (namespaceOwner === undefined) return {};
  const importedBy = shares.importersOf(read, namespaceOwner.workspace, destination);
  return { workspace: namespaceOwner.workspace, ...(importedBy.length === 0 ? {} : { importedBy }) };
}

function covers({ resources = [] }: WorkspaceShare, { namespace, labels }: Shared): boolean {
  return (
    resources.length === 0 ||
    resources.some(
      (resource: WorkspaceResource) =>
        (resource.namespace === undefined || resource.namespace === namespace) &&
        Object.entries(resource.labels ?? {}).every(([name, value]) => labels[name] === value),
    )
  );
}
