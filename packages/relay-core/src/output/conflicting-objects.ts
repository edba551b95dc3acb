/** User-owned objects that conflict with generated ones by content, not by name. */
import type { KubeObject, PolicyState, Report } from '@meshrelay/api';
import {
  type Collection,
  groupOf,
  type Index,
  type Key,
  key,
  kindKey,
  type MeshFacts,
  type ObjectConflict,
  type Read,
} from '@meshrelay/plugin';
import type { Graph } from '../graph/collection.ts';
import { InternedKeys } from '../graph/interned-keys.ts';
import type { LoadedPlugin } from '../plugin/registry.ts';
import { kindsReported } from '../plugin/reported-kinds.ts';
import type { PresentObject } from '../store/fleet-state.ts';
import type { PackedProposal } from '../translate/mod.ts';

/** A user-owned object that conflicts with a generated one. */
export interface ConflictingObject extends ObjectConflict {
  readonly object: KubeObject;
}

/**
 * Finds the objects that conflict with a proposal, the worst first. The graph records each read, so the choice is made
 * again when a conflicting object appears or disappears.
 */
export type FindConflicts = (proposal: PackedProposal, read: Read) => readonly ConflictingObject[];

const NONE: readonly never[] = [];

export interface ObjectConflictContext {
  /** Objects of clusters that Meshrelay does not manage. */
  readonly foreign: Collection<PresentObject>;
  readonly meshes: Collection<MeshFacts>;
  readonly plugins: readonly LoadedPlugin[];
}

export function conflictsAmong(graph: Graph, { foreign, meshes, plugins }: ObjectConflictContext): FindConflicts {
  const allObjectConflicts = new Map(plugins.map(({ plugin }) => [plugin.name, plugin.objectConflicts]));
  const evaluates = plugins.map(({ plugin }) => plugin).filter(({ objectConflicts }) => objectConflicts !== undefined);
  const byKind = new Map(evaluates.flatMap((plugin) => kindsReported(plugin).map((kind) => [kindKey(kind), plugin])));
  const wordsOf = (present: PresentObject): Array<readonly [plugin: string, word: string]> => {
    const object = present.object.value;
    const plugin = byKind.get(kindKey({ group: groupOf(object.apiVersion), kind: object.kind }));
    return (plugin?.objectConflicts?.indexKeys(object) ?? []).map((word) => [plugin?.name ?? '', word]);
  };
  const byWord: Index<PresentObject> = graph.index(foreign, 'output/unmanaged-by-key', (present) =>
    wordsOf(present).map(([plugin, word]) => key(present.cluster, plugin, word)),
  );
  // In most clusters users have no objects of a mesh, or of a kind, and one read then serves all generated objects.
  const places = new Map(plugins.map(({ plugin }) => [plugin.name, new InternedKeys(plugin.name)]));
  const byPlugin = graph.index(foreign, 'output/unmanaged-by-plugin', (present) => [
    ...new Set(wordsOf(present).flatMap(([plugin]) => places.get(plugin)?.of(present.cluster) ?? [])),
  ]);
  const byFirst = graph.index(foreign, 'output/unmanaged-by-key-prefix', (present) => [
    ...new Set(wordsOf(present).map(([plugin, word]) => key(present.cluster, plugin, firstOf(word)))),
  ]);
  const byCluster: Index<MeshFacts> = graph.index(meshes, 'output/meshes-by-cluster', ({ cluster, type }) => [
    key(cluster, type),
  ]);
  return ({ about: { plugin }, value: { cluster, object } }, read) => {
    const objectConflicts = allObjectConflicts.get(plugin);
    const place = places.get(plugin)?.of(cluster);
    if (objectConflicts === undefined || place === undefined || !read.any(byPlugin, place)) return NONE;
    const words = objectConflicts.lookupKeys(object);
    const kinds = new Set(words.map(firstOf).filter((kind) => read.any(byFirst, key(cluster, plugin, kind))));
    if (kinds.size === 0) return NONE;
    const found = new Map<Key, KubeObject>(
      words
        .filter((word) => kinds.has(firstOf(word)))
        .flatMap((word) => read.by(byWord, key(cluster, plugin, word)))
        .map(([unmanaged, present]) => [unmanaged, present.object.value]),
    );
    if (found.size === 0) return NONE;
    const local = read.by(byCluster, key(cluster, plugin)).map(([, mesh]) => mesh);
    return [...found.values()]
      .flatMap((unmanaged): ConflictingObject[] => {
        const objectConflict = objectConflicts.detect(object, unmanaged, local);
        return objectConflict === undefined ? [] : [{ ...objectConflict, object: unmanaged }];
      })
      .sort(compareConflicts);
  };
}

/** Up to the first space. */
function firstOf(word: string): string {
  const space = word.indexOf(' ');
  return space < 0 ? word : word.slice(0, space);
}

/** The report to the source policies of a proposal about its conflicts. */
export interface ObjectConflictDiagnostic {
  readonly state: PolicyState;
  readonly report: Report;
}

/** If a conflict keeps the generated object from being applied, no other conflict matters. */
export function objectConflictDiagnostics(
  { value: { cluster, object } }: PackedProposal,
  conflictingObjects: readonly ConflictingObject[],
): readonly ObjectConflictDiagnostic[] {
  const notApplied = conflictingObjects.filter(({ effect }) => effect === 'notApplied');
  const reporting = notApplied.length > 0 ? notApplied : conflictingObjects;
  const more = reporting.length - MAX_REPORTS;
  return reporting
    .slice(0, MAX_REPORTS)
    .map(({ effect, text, object: unmanaged }, position): ObjectConflictDiagnostic => {
      const { namespace = '', name } = unmanaged.metadata;
      const others =
        more > 0 && position === MAX_REPORTS - 1 ? ` (and ${more} more such object${more === 1 ? '' : 's'})` : '';
      const ending =
        effect === 'notApplied'
          ? `; the generated ${object.kind} ${object.metadata.name} is not applied until you delete or change yours`
          : '';
      return {
        ...REPORTED[effect].diagnostic,
        report: {
          ...REPORTED[effect].report,
          message: `${unmanaged.kind} ${namespace}/${name} of cluster ${cluster}, which is not managed by Meshrelay, ${text}${ending}${others}`,
          related: [{ kind: unmanaged.kind, namespace, name, cluster }],
        },
      };
    });
}

/** The maximum number of reports about one generated object. */
const MAX_REPORTS = 5;

const REPORTED = {
  notApplied: { diagnostic: { state: 'CONFLICT' }, report: { code: 'OBJECT_CONFLICT', severity: 'error' } },
  degraded: { diagnostic: { state: 'DEGRADED' }, report: { code: 'PARTIAL_OBJECT_CONFLICT', severity: 'warning' } },
  info: { diagnostic: { state: 'ACCEPTED' }, report: { code: 'OVERLAPPING_OBJECT', severity: 'info' } },
} as const;

const ORDER: ReadonlyArray<ObjectConflict['effect']> = ['notApplied', 'degraded', 'info'];

/** The worst first, then by kind, namespace and name. */
function compareConflicts(a: ConflictingObject, b: ConflictingObject): number {
  return ORDER.indexOf(a.effect) - ORDER.indexOf(b.effect) || (nameOf(a) < nameOf(b) ? -1 : 1);
}

function nameOf({ object: { kind, metadata } }: ConflictingObject): string {
  return [kind, metadata.namespace ?? '', metadata.name].join('\0');
}
