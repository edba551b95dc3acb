/** The fleet of `meshctl plan` before and after a change. */
import type { KubeObject } from '@meshrelay/api';
import type { ClusterObjects, ControlPlane, LoadedPlugin } from '@meshrelay/relay-core';
import { readClusters, readManagement } from '../input/inputs.ts';
import { InputError } from '../problem.ts';
import { fleetOf, laterFleet } from './fleet.ts';
import type { FleetOptions } from './fleet-options.ts';
import { withApplied } from './later-inputs.ts';
import { loadMeshPlugins } from './plugins.ts';

export interface PlanOptions extends FleetOptions {
  readonly afterCluster: readonly string[];
  readonly withoutCluster: readonly string[];
  readonly afterConfig: readonly string[];
  readonly afterSettings?: string;
  readonly apply: readonly string[];
}

/**
 * Both fleets. The later one starts from the decisions of the earlier one, so policies keep their order and hosts their
 * addresses, as on a server.
 * @throws InputError
 */
export async function plannedFleets(
  options: PlanOptions,
): Promise<{ readonly before: ControlPlane; readonly after: ControlPlane }> {
  refuseNoChange(options);
  const { namespace } = options;
  const plugins = await loadMeshPlugins(options.plugin);
  const clusters = readClusters(options.cluster, plugins);
  const management = readManagement(options, plugins);
  const later = { clusters: clustersAfter(clusters, options, plugins), objects: managementAfter(options, plugins) };
  const before = fleetOf({ clusters, management, plugins, namespace });
  const after = laterFleet(before, { clusters: later.clusters, management: later.objects, plugins, namespace });
  return { before, after };
}

function refuseNoChange({ afterCluster, withoutCluster, afterConfig, afterSettings, apply }: PlanOptions): void {
  const changes = [...afterCluster, ...withoutCluster, ...afterConfig, ...apply];
  if (changes.length === 0 && afterSettings === undefined)
    throw new InputError(
      'no change was given; add --apply, --after-config, --after-settings, --after-cluster or --without-cluster',
    );
}

function clustersAfter(
  before: readonly ClusterObjects[],
  { afterCluster, withoutCluster }: PlanOptions,
  plugins: readonly LoadedPlugin[],
): ClusterObjects[] {
  const clusters = new Map(before.map((cluster) => [cluster.name, cluster]));
  for (const name of withoutCluster)
    if (!clusters.delete(name))
      throw new InputError(
        `--without-cluster ${name}: no such cluster before the change; choose one of ${[...clusters.keys()].join(', ')}`,
      );
  if (afterCluster.length > 0)
    for (const cluster of readClusters(afterCluster, plugins, '--after-cluster')) {
      if (withoutCluster.includes(cluster.name))
        throw new InputError(`--after-cluster ${cluster.name}: --without-cluster names it, too; remove one of them`);
      clusters.set(cluster.name, cluster);
    }
  return [...clusters.values()];
}

/** The configuration given for after, else that from before, with the applied files merged in. */
function managementAfter(options: PlanOptions, plugins: readonly LoadedPlugin[]): KubeObject[] {
  const { settings, afterSettings, afterConfig, apply } = options;
  const chosen = afterSettings ?? settings;
  const there = readManagement(
    {
      config: afterConfig.length > 0 ? afterConfig : options.config,
      ...(chosen === undefined ? {} : { settings: chosen }),
    },
    plugins,
    {
      settingsOption: afterSettings === undefined ? '--settings' : '--after-settings',
      prints: afterConfig.length > 0,
    },
  );
  return apply.length === 0 ? there : withApplied(there, readManagement({ config: apply }, plugins));
}
