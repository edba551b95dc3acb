/** The options that define the fleet of offline commands. */
import type { ControlPlane } from '@meshrelay/relay-core';
import type { Command } from 'commander';
import { namespaceName } from '../commands/names.ts';
import { collect } from '../commands/options.ts';
import { readClusters, readManagement } from '../input/inputs.ts';
import { fleetOf } from './fleet.ts';
import { loadMeshPlugins } from './plugins.ts';

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
    .option('--namespace <NAME>', 'namespace of the server and of all Mesh objects', namespaceName, 'meshrelay');
}

/**
 * The fleet that the options describe.
 * @param wholeStatuses whether statuses contain all targets, instead of the limited number of statuses in a cluster
 * @throws InputError
 */
export async function fleetFrom(
  options: FleetOptions,
  { wholeStatuses = false }: { readonly wholeStatuses?: boolean } = {},
): Promise<ControlPlane> {
  const plugins = await loadMeshPlugins(options.plugin);
  const clusters = readClusters(options.cluster, plugins);
  const management = readManagement(options, plugins);
  return fleetOf({ clusters, management, plugins, namespace: options.namespace, wholeStatuses });
}
