/** The Services that plugins recognise as gateways if no policy and no Settings select any. */
import { type GatewayDefaults, key, type MeshFacts, type Read } from '@meshrelay/plugin';
import type { Graph } from '../../graph/collection.ts';
import { hasAll } from '../../input/labels.ts';
import type { LoadedPlugin } from '../../plugin/registry.ts';
import type { Destinations, KnownDestination } from '../inventory/mod.ts';

export interface DefaultGateways {
  /** The gateway defaults of the plugin for a mesh type. */
  of(meshType: string): GatewayDefaults | undefined;
  /** Services of the mesh's cluster with the labels its plugin names; none if it names no labels. */
  services(read: Read, mesh: MeshFacts): readonly KnownDestination[];
}

/** Adds an index of them by cluster, so that a change of a gateway affects no other cluster. */
export function defaultGateways(
  graph: Graph,
  { known }: Pick<Destinations, 'known'>,
  plugins: readonly LoadedPlugin[],
): DefaultGateways {
  const byType = new Map(
    plugins.flatMap(({ plugin: { name, gatewayDefaults: defaults } }) =>
      defaults === undefined ? [] : [[name, defaults] as const],
    ),
  );
  const labelled = [...byType].filter(([, { labels }]) => Object.keys(labels).length > 0);
  const services = graph.index(known, 'resolve/default-gateways', ({ cluster, labels: own }) =>
    labelled.filter(([, { labels }]) => hasAll(own, labels)).map(([type]) => key(cluster, type)),
  );
  return {
    of: (meshType) => byType.get(meshType),
    services: (read, { cluster, type }) => read.by(services, key(cluster, type)).map(([, one]) => one),
  };
}
