/** The translate stage: views through plugins to the objects of each cluster. */
import type { Collection, Graph } from '../graph/collection.ts';
import { type Key, key } from '../graph/key.ts';
import { groupOf } from '../input/resource-kind.ts';
import { chooseDesired, type DesiredObject, desiredKey, type Proposal } from '../output/desired.ts';
import type { NativeObject, NativeObjectRef, Output as PluginOutput } from '../plugin/contract.ts';
import type { LoadedPlugin } from '../plugin/registry.ts';
import type { DestinationView, EndpointsView, ReachView } from '../plugin/views.ts';
import { compareRefs, mergeRefs } from '../resolve/precedence.ts';
import type { Resolved } from '../resolve/resolve.ts';
import { collectVerdicts, type Verdict } from '../resolve/verdict.ts';
import type { PresentObject } from '../store/world.ts';
import { type Contribution, record, type Translation } from './recorder.ts';
import { type Stripped, stripDestination, stripEndpoints, stripMesh, stripReach } from './strip.ts';

export interface Translated {
  /** Under `desiredKey`. */
  readonly desired: Collection<DesiredObject>;
  readonly verdicts: readonly Collection<Verdict>[];
}

/** Lays out the stage. `present` is what clusters have; `owner` is the management namespace, the value of the owner label. */
export function translate(
  graph: Graph,
  resolved: Resolved,
  plugins: readonly LoadedPlugin[],
  { present, owner }: { readonly present: Collection<PresentObject>; readonly owner: string },
): Translated {
  const byType = new Map(plugins.map((loaded) => [loaded.plugin.name, loaded]));
  const stage = <V>(
    name: string,
    views: Collection<V>,
    meshOf: (view: V) => { readonly type: string; readonly cluster: string },
    targetOf: (view: V) => Verdict['target'],
    strip: (view: V, loaded: LoadedPlugin) => Stripped<V | undefined>,
    run: (loaded: LoadedPlugin, view: V, out: PluginOutput) => void,
  ) =>
    graph.derive(name, views, (view): PlacedTranslation | undefined => {
      const { type, cluster } = meshOf(view);
      const loaded = byType.get(type);
      if (loaded === undefined) return undefined;
      const { view: carried, losses } = strip(view, loaded);
      const translation = record(loaded, cluster, losses, (out) => {
        if (carried !== undefined) run(loaded, carried, out);
      });
      return { ...translation, plugin: type, target: targetOf(view) };
    });

  const local = stage(
    'translate/destinations',
    resolved.destinationViews,
    (view) => view.destination.mesh,
    aboutDestination,
    (view, { plugin }) => stripDestination(view, plugin.name, plugin.capabilities),
    ({ plugin, settings }, view, out) => plugin.translateDestination?.(view, out, settings),
  );
  const reach = stage(
    'translate/reach',
    resolved.reachViews,
    (view) => view.consumer,
    aboutDestination,
    (view, { plugin }) => stripReach(view, plugin.name, plugin.capabilities),
    ({ plugin, settings }, view, out) => plugin.translateReach?.(view, out, settings),
  );
  const endpoints = stage(
    'translate/endpoints',
    resolved.endpointsViews,
    (view) => view.consumer,
    aboutDestination,
    (view, { plugin }) => stripEndpoints(view, plugin.capabilities),
    ({ plugin, settings }, view, out) => plugin.translateEndpoints?.(view, out, settings),
  );
  const mesh = stage(
    'translate/meshes',
    resolved.meshViews,
    (view) => view.mesh,
    (view) => ({ kind: 'Mesh', key: view.mesh.key }),
    (view, { plugin }) => stripMesh(view, plugin.name, plugin.capabilities),
    ({ plugin, settings }, view, out) => plugin.translateMesh?.(view, out, settings),
  );
  const stages = [local, reach, endpoints, mesh];
  const proposals = graph.join('output/all', [
    ...stages.map((translations) => emitted(graph, translations)),
    assembled(graph, stages, byType),
  ]);
  const { desired, verdicts } = chooseDesired(graph, proposals, { present, plugins, owner });
  return { desired, verdicts: [...stages.map((translations) => losses(graph, translations)), verdicts] };
}

function aboutDestination({ destination }: DestinationView | ReachView | EndpointsView): Verdict['target'] {
  return { kind: 'Destination', key: destination.key };
}

type PlacedTranslation = Translation & { readonly plugin: string; readonly target: Verdict['target'] };
type Translations = Collection<PlacedTranslation>;

function emitted(graph: Graph, translations: Translations): Collection<Proposal> {
  return graph.deriveMany(
    `output/${translations.name}`,
    translations,
    ({ emissions, plugin, target }, _read, viewKey) =>
      emissions.map((emission, position): readonly [Key, Proposal] => [
        key(translations.name, viewKey, String(position)),
        { ...emission, plugin, target },
      ]),
  );
}

/** Objects that several views contribute to, built from their parts in the order of the slots. */
function assembled(
  graph: Graph,
  stages: readonly Translations[],
  byType: ReadonlyMap<string, LoadedPlugin>,
): Collection<Proposal> {
  const contributions = graph.join(
    'output/contributions',
    stages.map((translations) =>
      graph.deriveMany(
        `output/contributions/${translations.name}`,
        translations,
        ({ contributions: list, plugin, target }, _read, viewKey) =>
          list.map(
            (contribution, position) =>
              [key(translations.name, viewKey, String(position)), { ...contribution, plugin, target }] as const,
          ),
      ),
    ),
  );
  type Contributed = Contribution & Pick<PlacedTranslation, 'plugin' | 'target'>;
  const parts = graph.group(
    'output/parts',
    contributions,
    (contribution): Array<readonly [Key, Contributed]> => [[refKey(contribution.to), contribution]],
    (a, b) => (a.part.slot < b.part.slot ? -1 : a.part.slot > b.part.slot ? 1 : 0),
  );
  return graph.derive('output/assembled', parts, (group): Proposal | undefined => {
    const [first] = group;
    const loaded = first === undefined ? undefined : byType.get(first.plugin);
    if (first === undefined || loaded?.plugin.assemble === undefined) return undefined;
    const object = loaded.plugin.assemble(
      first.to,
      group.map(({ part }) => part),
      loaded.settings,
    );
    refuseOther(object, first);
    const because = mergeRefs(...group.map((contribution) => contribution.because)).toSorted(compareRefs);
    return {
      cluster: first.to.cluster,
      kind: first.to.kind,
      plugin: first.plugin,
      object,
      because,
      target: first.target,
    };
  });
}

/** @throws Error where a plugin assembles another object than it was asked for, which would go past every check */
function refuseOther(
  { apiVersion, kind, metadata }: NativeObject,
  { to, plugin }: Contribution & { readonly plugin: string },
): void {
  const asked = `${to.kind.kind}.${to.kind.group} ${to.namespace}/${to.name}`;
  const given = `${kind}.${groupOf(apiVersion)} ${metadata.namespace ?? ''}/${metadata.name}`;
  if (given !== asked) throw new Error(`plugin ${plugin}: asked to assemble ${asked}, it gave ${given}`);
}

function refKey({ cluster, kind, namespace, name }: NativeObjectRef): Key {
  return desiredKey(cluster, kind, namespace, name);
}

function losses(graph: Graph, translations: Translations): Collection<Verdict> {
  return collectVerdicts(graph, `${translations.name}/verdicts`, translations, ({ losses: lost, target }) =>
    lost.flatMap(({ policies, state, report }) =>
      policies.map((policy): Verdict => ({ policy, state, reports: [report], target })),
    ),
  );
}
