/** The options that define the fleet of offline commands. */
import type { Command } from 'commander';
import { namespaceName } from '../commands/names.ts';
import { collect } from '../commands/options.ts';

export interface FleetOptions {
  readonly cluster: readonly string[];
  readonly config: readonly string[];
  readonly settings?: string;
  readonly ledger?: string;
  readonly plugin: readonly string[];
  readonly namespace: string;
}

export function offlineOptions(command: Command): Command {
  return command
    .option('--cluster <NAME=PATH>', "a cluster's objects: a YAML file, a folder or - (repeatable)", collect, [])
    .option('--config <PATH>', 'objects of the management cluster (repeatable)', collect, [])
    .option('--settings <PATH>', 'the Settings object')
    .option('--ledger <FILE>', 'Ledger with earlier decisions; without it, all are decided again')
    .option('--plugin <MODULE>', 'an additional mesh plugin (repeatable)', collect, [])
    .option('-n, --namespace <NAME>', 'namespace of the server and of all Mesh objects', namespaceName, 'meshrelay');
}
