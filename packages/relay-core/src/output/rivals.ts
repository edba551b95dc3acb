/** Objects of users that are in the way of ours, by what they say rather than by their names. */
import type { KubeObject, PolicyState, Report } from '@meshrelay/api';
import type { Collection, Graph, Index, Read } from '../graph/collection.ts';
import { type Key, key } from '../graph/key.ts';
import { RepeatedKeys } from '../graph/repeated-keys.ts';
import { groupOf, kindKey } from '../input/resource-kind.ts';
import type { ObjectConflict } from '../plugin/object-conflicts.ts';
import type { LoadedPlugin } from '../plugin/registry.ts';
import { kindsReported } from '../plugin/reported-kinds.ts';
import type { MeshFacts } from '../plugin/views/mod.ts';
import type { PresentObject } from '../store/world.ts';
import type { KeptProposal } from './desired.ts';

/** A user's object in the way of one of ours. */
export interface Rival extends ObjectConflict {
  readonly object: KubeObject;
}

/** Finds the rivals of a proposal, the worst first. Each look is recorded, so the choice is made again when a rival comes or goes. */
export type FindRivals = (proposal: KeptProposal, read: Read) => readonly Rival[];

const NONE: readonly never[] = [];

export interface RivalContext {
  /** What clusters have that is not ours. */
  readonly foreign: Collection<PresentObject>;
  readonly meshes: Collection<MeshFacts>;
  readonly plugins: readonly LoadedPlugin[];
}

export function rivalsAmong(graph: Graph, { foreign, meshes, plugins }: RivalContext): FindRivals {
  const allObjectConflicts = new Map(plugins.map(({ plugin }) => [plugin.name, plugin.objectConflicts]));
  const judges = plugins.map(({ plugin }) => plugin).filter(({ objectConflicts }) => objectConflicts !== undefined);
  const byKind = new Map(judges.flatMap((plugin) => kindsReported(plugin).map((kind) => [kindKey(kind), plugin])));
  const wordsOf = (present: PresentObject): Array<readonly [plugin: string, word: string]> => {
    const object = present.object.value;
    const plugin = byKind.get(kindKey({ group: groupOf(object.apiVersion), kind: object.kind }));
    return (plugin?.objectConflicts?.indexKeys(object) ?? []).map((word) => [plugin?.name ?? '', word]);
  };
  const byWord: Index<PresentObject> = graph.index(foreign, 'output/foreign-words', (present) =>
    wordsOf(present).map(([plugin, word]) => key(present.cluster, plugin, word)),
  );
  // Where users have no objects of a mesh, or of a kind, which is so in most clusters, one look serves all of ours.
  const places = new Map(plugins.map(({ plugin }) => [plugin.name, new RepeatedKeys(plugin.name)]));
  const byPlugin = graph.index(foreign, 'output/foreign-word-plugins', (present) => [
    ...new Set(wordsOf(present).flatMap(([plugin]) => places.get(plugin)?.of(present.cluster) ?? [])),
  ]);
  const byFirst = graph.index(foreign, 'output/foreign-word-kinds', (present) => [
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
      .flatMap((unmanaged): Rival[] => {
        const objectConflict = objectConflicts.detect(object, unmanaged, local);
        return objectConflict === undefined ? [] : [{ ...objectConflict, object: unmanaged }];
      })
      .sort(compareRivals);
  };
}

/** Up to the first space. */
function firstOf(word: string): string {
  const space = word.indexOf(' ');
  return space < 0 ? word : word.slice(0, space);
}

/** What the policies behind a proposal are told of its rivals. */
export interface RivalVerdict {
  readonly state: PolicyState;
  readonly report: Report;
}

/** Of rivals that keep ours away nothing else matters. */
export function rivalVerdicts(
  { value: { cluster, object } }: KeptProposal,
  rivals: readonly Rival[],
): readonly RivalVerdict[] {
  const notApplied = rivals.filter(({ effect }) => effect === 'notApplied');
  const telling = notApplied.length > 0 ? notApplied : rivals;
  const more = telling.length - MAX_REPORTS;
  return telling.slice(0, MAX_REPORTS).map(({ effect, text, object: unmanaged }, position): RivalVerdict => {
    const { namespace = '', name } = unmanaged.metadata;
    const others =
      more > 0 && position === MAX_REPORTS - 1 ? ` (and ${more} more such object${more === 1 ? '' : 's'})` : '';
    const ending =
      effect === 'notApplied' ? `; ${object.kind} ${object.metadata.name} is withheld until it is gone` : '';
    return {
      ...TOLD[effect].verdict,
      report: {
        ...TOLD[effect].report,
        message: `${unmanaged.kind} ${namespace}/${name} of cluster ${cluster} is not ours and ${text}${ending}${others}`,
        related: [{ kind: unmanaged.kind, namespace, name, cluster }],
      },
    };
  });
}

/** Reports on one object of ours. */
const MAX_REPORTS = 5;

const TOLD = {
  notApplied: { verdict: { state: 'CONFLICT' }, report: { code: 'CLAIMED', severity: 'error' } },
  degraded: { verdict: { state: 'DEGRADED' }, report: { code: 'SHARED_CLAIM', severity: 'warning' } },
  info: { verdict: { state: 'ACCEPTED' }, report: { code: 'NEIGHBOUR', severity: 'info' } },
} as const;

const ORDER: ReadonlyArray<ObjectConflict['effect']> = ['notApplied', 'degraded', 'info'];

/** The worst first, then by kind, namespace and name. */
function compareRivals(a: Rival, b: Rival): number {
  return ORDER.indexOf(a.effect) - ORDER.indexOf(b.effect) || (nameOf(a) < nameOf(b) ? -1 : 1);
}

function nameOf({ object: { kind, metadata } }: Rival): string {
  return [kind, metadata.namespace ?? '', metadata.name].join('\0');
}
