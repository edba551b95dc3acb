/** Callers that connect with the default mode of Settings, and pods that reject such connections. */
import type { Report } from '@meshrelay/api';
import { type Collection, type DestinationView, key } from '@meshrelay/plugin';
import { mtlsMode } from '../../fields/traffic/mtls.ts';
import type { Graph } from '../../graph/collection.ts';
import type { LoadedPlugin } from '../../plugin/registry.ts';
import { type FleetState, SETTINGS_KEY } from '../../store/fleet-state.ts';
import { indexPresent, presentView } from '../inventory/mod.ts';
import type { ResolveContext } from '../resolve-context.ts';

/** Reports on the Settings object, by mesh key. */
export function settingsNotes(
  graph: Graph,
  { present, tlsModeByDefault }: Pick<FleetState, 'present' | 'tlsModeByDefault'>,
  { meshes, destinations }: Pick<ResolveContext, 'meshes' | 'destinations'>,
  destinationViews: Collection<DestinationView>,
  plugins: readonly LoadedPlugin[],
): Collection<readonly Report[]> {
  const rulesOf = new Map(plugins.map(({ plugin }) => [plugin.name, plugin.inboundRules]));
  const rules = indexPresent(graph, present, plugins, {
    name: 'resolve/inbound-rules-of-meshes',
    bucketsOf: ({ inboundRules }, object) => (inboundRules?.isOne(object) === true ? [[]] : []),
  });
  const withoutProxy = graph.index(
    graph.derive('resolve/default-mode-without-proxy', destinations.known, ({ workloadsWithoutProxy }, read, id) => {
      const view = workloadsWithoutProxy === undefined ? undefined : read.get(destinationViews, id);
      return isByDefault(view) ? view?.destination : undefined;
    }),
    'resolve/default-mode-without-proxy-by-mesh',
    ({ mesh }) => [mesh.key],
  );
  return graph.derive('resolve/settings-notes', meshes, (mesh, read): readonly Report[] | undefined => {
    const reportsFor = rulesOf.get(mesh.type)?.reportsByDefault;
    const mode = reportsFor === undefined ? undefined : read.get(tlsModeByDefault, SETTINGS_KEY);
    if (reportsFor === undefined || mode === undefined) return undefined;
    const found = read.by(rules, key(mesh.type, mesh.cluster)).map(([, one]) => presentView(one));
    const destinationsWithout = read.by(withoutProxy, mesh.key).map(([, one]) => one);
    const reports = reportsFor(mesh, mtlsMode(mode), found, destinationsWithout);
    return reports.length === 0 ? undefined : reports;
  });
}

/** Whether no policy sets the mode. */
function isByDefault(view: DestinationView | undefined): boolean {
  return view?.connection.mtls?.from.length === 0;
}
