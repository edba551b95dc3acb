/** Opens the fleet that the options of `meshctl create` name. */
import { fleetOfPlane } from '../describe/known-fleet.ts';
import { readClusters, readManagement } from '../input/inputs.ts';
import { fleetOf } from '../offline/fleet.ts';
import { loadMeshPlugins } from '../offline/plugins.ts';
import { type CreateFleet, planOf } from './create-fleet.ts';
import type { CreateOptions } from './options.ts';

/** That of the management cluster, or of files. @throws InputError */
export async function openFleet(options: CreateOptions): Promise<CreateFleet> {
  if (options.cluster.length === 0) return (await import('../online/stored-fleet.ts')).openStoredFleet(options);
  const plugins = await loadMeshPlugins(options.plugin);
  const clusters = readClusters(options.cluster, plugins);
  const management = readManagement(options, plugins);
  const inputs = { clusters, management, plugins, namespace: options.namespace };
  const before = fleetOf(inputs);
  return {
    known: fleetOfPlane(before),
    plan: (object) => planOf(before, inputs, object),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
