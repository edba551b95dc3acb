/** The translate stage: views through plugins to the objects of each cluster. */
import type { PolicyRef } from '@meshrelay/api';
import type { Collection, Graph } from '../graph/collection.ts';
import { type Key, key } from '../graph/key.ts';
import type { ResourceKind } from '../input/resource-kind.ts';
import { owned } from '../output/ownership.ts';
import type { NativeObject, NativeObjectRef, Output as PluginOutput } from '../plugin/contract.ts';
import type { LoadedPlugin } from '../plugin/registry.ts';
import { mergeRefs } from '../resolve/precedence.ts';
import type { Resolved } from '../resolve/resolve.ts';
import { collectVerdicts, type TargetKind, type Verdict } from '../resolve/verdict.ts';
import { type Contribution, record, type Translation } from './recorder.ts';
import { type Stripped, stripDestination, stripMesh, stripReach } from './strip.ts';

/** An object that belongs in a cluster. */
export interface DesiredObject {
  readonly cluster: string;
  readonly kind: ResourceKind;
  readonly plugin: string;
  readonly object: NativeObject;
  /** Every policy the object is there for. */
  readonly because: readonly PolicyRef[];
}

export interface Translated {
  /** Under {@link desiredKey}. */
  readonly desired: Collection<DesiredObject>;
  readonly verdicts: readonly Collection<Verdict>[];
}

/** The key of an object among those of all clusters. */
export function desiredKey(
  cluster: string,
  kind: Pick<ResourceKind, 'group' | 'kind'>,
  namespace: string,
  name: string,
): Key {
  return key(cluster, kind.group, kind.kind, namespace, name);
}

/** Lays out the stage. `owner` is the management namespace: the value of the owner label. */
export function translate(
  graph: Graph,
  resolved: Resolved,
  plugins: readonly LoadedPlugin[],
  owner: string,
): Translated {
  const byType = new Map(plugins.map((loaded) => [loaded.plugin.name, loaded]));
  const stage = <V>(
    name: string,
    views: Collection<V>,
    meshOf: (view: V) => { readonly type: string; readonly cluster: string },
    strip: (view: V, loaded: LoadedPlugin) => Stripped<V | undefined>,
    run: (loaded: LoadedPlugin, view: V, out: PluginOutput) => void,
  ) =>
    graph.derive(name, views, (view): (Translation & { readonly plugin: string }) | undefined => {
      const { type, cluster } = meshOf(view);
      const loaded = byType.get(type);
      if (loaded === undefined) return undefined;
      const { view: carried, losses } = strip(view, loaded);
      const translation = record(loaded, cluster, losses, (out) => {
        if (carried !== undefined) run(loaded, carried, out);
      });
      return { ...translation, plugin: type };
    });

  const local = stage(
    'translate/destinations',
    resolved.destinationViews,
    (view) => view.destination.mesh,
    (view, { plugin }) => stripDestination(view, plugin.name, plugin.capabilities),
    ({ plugin, settings }, view, out) => plugin.translateDestination?.(view, out, settings),
  );
  const reach = stage(
    'translate/reach',
    resolved.reachViews,
    (view) => view.consumer,
    (view, { plugin }) => stripReach(view, plugin.name, plugin.capabilities),
    ({ plugin, settings }, view, out) => plugin.translateReach?.(view, out, settings),
  );
  const mesh = stage(
    'translate/meshes',
    resolved.meshViews,
    (view) => view.mesh,
    (view, { plugin }) => stripMesh(view, plugin.name, plugin.capabilities),
    ({ plugin, settings }, view, out) => plugin.translateMesh?.(view, out, settings),
  );
  const stages = [local, reach, mesh];
  return {
    desired: graph.join('output/desired', [
      ...stages.map((translations) => emitted(graph, translations, owner)),
      assembled(graph, stages, byType, owner),
    ]),
    verdicts: [
      losses(graph, local, resolved.destinationViews, 'Destination', (view) => view.destination.key),
      losses(graph, reach, resolved.reachViews, 'Destination', (view) => view.destination.key),
      losses(graph, mesh, resolved.meshViews, 'Mesh', (view) => view.mesh.key),
    ],
  };
}

type Translations = Collection<Translation & { readonly plugin: string }>;

function emitted(graph: Graph, translations: Translations, owner: string): Collection<DesiredObject> {
  return graph.deriveMany(`output/${translations.name}`, translations, ({ emissions, plugin }) =>
    emissions.map(({ cluster, kind, object, because }): readonly [Key, DesiredObject] => [
      desiredKey(cluster, kind, object.metadata.namespace ?? '', object.metadata.name),
      { cluster, kind, plugin, object: owned(object, owner, plugin, because), because },
    ]),
  );
}

/** Objects that several views contribute to, built from their parts in the order of the slots. */
function assembled(
  graph: Graph,
  stages: readonly Translations[],
  byType: ReadonlyMap<string, LoadedPlugin>,
  owner: string,
): Collection<DesiredObject> {
  const contributions = graph.join(
    'output/contributions',
    stages.map((translations) =>
      graph.deriveMany(
        `output/contributions/${translations.name}`,
        translations,
        ({ contributions: list, plugin }, _read, viewKey) =>
          list.map(
            (contribution, position) =>
              [key(translations.name, viewKey, String(position)), { ...contribution, plugin }] as const,
          ),
      ),
    ),
  );
  type Contributed = Contribution & { readonly plugin: string };
  const parts = graph.group(
    'output/parts',
    contributions,
    (contribution): Array<readonly [Key, Contributed]> => [[refKey(contribution.to), contribution]],
    (a, b) => (a.part.slot < b.part.slot ? -1 : a.part.slot > b.part.slot ? 1 : 0),
  );
  return graph.derive('output/assembled', parts, (group): DesiredObject | undefined => {
    const [first] = group;
    const loaded = first === undefined ? undefined : byType.get(first.plugin);
    if (first === undefined || loaded?.plugin.assemble === undefined) return undefined;
    const object = loaded.plugin.assemble(
      first.to,
      group.map(({ part }) => part),
      loaded.settings,
    );
    const because = mergeRefs(...group.map((contribution) => contribution.because));
    return {
      cluster: first.to.cluster,
      kind: first.to.kind,
      plugin: first.plugin,
      object: owned(object, owner, first.plugin, because),
      because,
    };
  });
}

function refKey({ cluster, kind, namespace, name }: NativeObjectRef): Key {
  return desiredKey(cluster, kind, namespace, name);
}

function losses<V>(
  graph: Graph,
  translations: Translations,
  views: Collection<V>,
  kind: TargetKind,
  targetOf: (view: V) => Key,
): Collection<Verdict> {
  const placed = graph.derive(`${translations.name}/placed-losses`, translations, (translation, read, viewKey) => {
    const view = read.get(views, viewKey);
    return view === undefined || translation.losses.length === 0
      ? undefined
      : { losses: translation.losses, target: targetOf(view) };
  });
  return collectVerdicts(graph, `${translations.name}/verdicts`, placed, ({ losses: lost, target }) =>
    lost.flatMap(({ policies, state, report }) =>
      policies.map((policy): Verdict => ({ policy, state, reports: [report], target: { kind, key: target } })),
    ),
  );
}
