/** The fleet that the options of an offline command describe. */
import type { ControlPlane } from '@meshrelay/relay-core';
import { readClusters, readManagement } from '../input/inputs.ts';
import { fleetOf } from './fleet.ts';
import type { FleetOptions } from './fleet-options.ts';
import { loadMeshPlugins } from './plugins.ts';

/**
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
