/** `meshctl plugin`. */
import type { Command } from 'commander';
import type { DevOptions } from '../plugin/dev.ts';
import { collect } from './options.ts';

export function addPlugin(program: Command): void {
  const plugin = program.command('plugin').summary('create a mesh plugin and try it while you write it');
  plugin
    .command('new')
    .summary('create a package with a mesh plugin')
    .description(
      'Creates a package with a plugin for your mesh. It type-checks and passes the conformance checks at once; its comments lead from the detection of the control plane to the translation of policies.',
    )
    .argument('<mesh>', 'its name: lower case letters, digits and -')
    .option('--folder <FOLDER>', 'where to create it; the name of the mesh when omitted')
    .addHelpText('after', '\nExample:\n  meshctl plugin new my-mesh')
    .action(async (mesh: string, { folder }: { readonly folder?: string }) =>
      (await import('../plugin/new.ts')).newPlugin(mesh, folder ?? mesh),
    );
  plugin
    .command('dev')
    .summary('run a mesh plugin on manifests again whenever its files change')
    .description(
      'Prints what a plugin discovers in the objects of clusters, and what it writes for the policies, with their statuses and reports. Does so again each time a file next to the module or one of the given files changes, until interrupted.',
    )
    .requiredOption('--plugin <MODULE>', 'path of the module of the plugin')
    .requiredOption('--cluster <NAME=PATH>', "a cluster's objects: a YAML file or a folder (repeatable)", collect, [])
    .option('--config <PATH>', 'policies and other configuration: a YAML file or a folder (repeatable)', collect, [])
    .addHelpText(
      'after',
      '\nExample:\n  meshctl plugin dev --plugin ./src/mod.ts --cluster east=east.yaml --config policies.yaml',
    )
    .action(async (options: DevOptions) => (await import('../plugin/dev.ts')).dev(options));
}
