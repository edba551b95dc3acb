/** `meshctl discover`: prints the meshes, workloads and destinations of clusters, from files only. */
import process from 'node:process';
import type { DiscoveredObject } from '@meshrelay/relay-core';
import { valuesInOrder } from '@meshrelay/relay-core';
import type { Command } from 'commander';
import { readClusters } from '../input/inputs.ts';
import { fleetOf } from '../offline/fleet.ts';
import { loadMeshPlugins } from '../offline/plugins.ts';
import { format, type OutputFormat } from '../output/format.ts';
import { table } from '../output/table.ts';
import { collect, outputOption } from './options.ts';

interface DiscoverOptions {
  readonly cluster: readonly string[];
  readonly plugin: readonly string[];
  readonly output: OutputFormat;
}

export function addDiscover(program: Command): void {
  program
    .command('discover')
    .summary('list the meshes, workloads and destinations found in manifests')
    .description('Lists what an agent would discover in clusters whose objects are in files.')
    .option('--cluster <NAME=PATH>', "a cluster's objects: a YAML file, a folder or - (repeatable)", collect, [])
    .option('--plugin <MODULE>', 'an additional mesh plugin (repeatable)', collect, [])
    .addOption(outputOption('a table, or the objects as data'))
    .addHelpText(
      'after',
      '\nExample:\n  kubectl get deploy,rs,pod,svc,node,cm,endpointslice -A -o yaml > east.yaml\n  meshctl discover --cluster cluster-1=east.yaml',
    )
    .action(discover);
}

async function discover({ cluster, plugin, output }: DiscoverOptions): Promise<void> {
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
