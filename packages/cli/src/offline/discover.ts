/** Prints what an agent would discover in clusters that are given as files. */
import process from 'node:process';
import { valuesInOrder } from '@meshrelay/relay-core';
import { readClusters } from '../input/inputs.ts';
import { discoveredText, namespaceOf } from '../output/discovered-text.ts';
import type { ListFormat } from '../output/format.ts';
import { fleetOf } from './fleet.ts';
import { loadMeshPlugins } from './plugins.ts';

export interface DiscoverOptions {
  readonly cluster: readonly string[];
  /** Only objects found in this namespace. */
  readonly namespace?: string;
  readonly plugin: readonly string[];
  readonly output: ListFormat;
}

export async function discover({ cluster, namespace, plugin, output }: DiscoverOptions): Promise<void> {
  const plugins = await loadMeshPlugins(plugin);
  const fleet = fleetOf({ clusters: readClusters(cluster, plugins), management: [], plugins });
  const all = valuesInOrder(fleet.shown.activate().discovered);
  const items = namespace === undefined ? all : all.filter((object) => namespaceOf(object) === namespace);
  if (items.length === 0)
    process.stderr.write(
      all.length === 0
        ? 'nothing was discovered; see the example of meshctl discover --help for the kinds that are read\n'
        : `nothing was discovered in namespace ${namespace}; -A lists all namespaces\n`,
    );
  process.stdout.write(discoveredText(items, output));
}
