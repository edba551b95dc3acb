/** Prints what an agent would discover in clusters that are given as files. */
import process from 'node:process';
import { type DiscoveredObject, valuesInOrder } from '@meshrelay/relay-core';
import { readClusters } from '../input/inputs.ts';
import { format, type OutputFormat } from '../output/format.ts';
import { table } from '../output/table.ts';
import { fleetOf } from './fleet.ts';
import { loadMeshPlugins } from './plugins.ts';

export interface DiscoverOptions {
  readonly cluster: readonly string[];
  readonly plugin: readonly string[];
  readonly output: OutputFormat;
}

export async function discover({ cluster, plugin, output }: DiscoverOptions): Promise<void> {
  const plugins = await loadMeshPlugins(plugin);
  const fleet = fleetOf({ clusters: readClusters(cluster, plugins), management: [], plugins });
  const items = valuesInOrder(fleet.shown.activate().discovered);
  if (items.length === 0)
    process.stderr.write(
      'nothing was discovered; see the example of meshctl discover --help for the kinds that are read\n',
    );
  if (output === 'text') process.stdout.write(table(['KIND', 'NAME', 'CLUSTER', 'MESH'], items.map(row)));
  else process.stdout.write(format({ apiVersion: 'v1', kind: 'List', items }, output));
}

function row(object: DiscoveredObject): string[] {
  const mesh = object.kind === 'Mesh' ? object.spec.type : (object.spec.mesh?.name ?? '-');
  return [object.kind, object.metadata.name, object.metadata.labels?.['meshrelay.dev/cluster'] ?? '', mesh];
}
