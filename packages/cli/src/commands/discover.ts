/** `meshctl discover`: prints the meshes, workloads and destinations of clusters, from files only. */
import type { Command } from 'commander';
import type { DiscoverOptions } from '../offline/discover.ts';
import { collect, listOption, namespaceFilter } from './options.ts';

export function addDiscover(program: Command): void {
  const command = program
    .command('discover')
    .summary('list the meshes, workloads and destinations found in manifests')
    .description('Lists what an agent would discover in clusters whose objects are in files.')
    .option('--cluster <NAME=PATH>', "a cluster's objects: a YAML file, a folder or - (repeatable)", collect, []);
  namespaceFilter(command, 'objects')
    .option('--plugin <MODULE>', 'an additional mesh plugin (repeatable)', collect, [])
    .addOption(listOption('a table, one with more columns, the objects as data, or their names'))
    .addHelpText(
      'after',
      '\nExample:\n  kubectl get deploy,rs,pod,svc,node,cm,endpointslice -A -o yaml > east.yaml\n  meshctl discover --cluster cluster-1=east.yaml',
    )
    .action(async (options: DiscoverOptions) => (await import('../offline/discover.ts')).discover(options));
}
