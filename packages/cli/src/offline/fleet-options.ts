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
    .option('--ledger <FILE>', 'decisions to start from; without it all are made anew')
    .option('--plugin <MODULE>', 'a mesh plugin beside those built in (repeatable)', collect, [])
    .option('--namespace <NAME>', 'where the server is, and with it all Mesh objects', namespaceName, 'meshrelay');
}
