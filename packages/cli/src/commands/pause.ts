/** `meshctl pause` and `meshctl unpause`. */
import type { Command } from 'commander';
import type { ManagementOptions } from '../online/management.ts';
import { clusterName } from './names.ts';
import { managementOptions } from './options.ts';

export function addPause(program: Command): void {
  managementOptions(
    program
      .command('pause')
      .argument('[cluster]', '', clusterName)
      .summary('stop sending changes to one cluster or all clusters')
      .description(
        'Stops sending changes to the cluster, or to all clusters if none is named, until meshctl unpause. Agents still repair drift of applied objects, and the server still receives inputs. Sets spec.paused of the KubernetesCluster, or of Settings. Audited.',
      ),
  )
    .addHelpText('after', '\nExamples:\n  meshctl pause\n  meshctl pause cluster-1')
    .action(async (cluster: string | undefined, options: ManagementOptions) =>
      (await import('../online/actions.ts')).pause(cluster, true, options),
    );
  managementOptions(
    program
      .command('unpause')
      .argument('[cluster]', '', clusterName)
      .summary('send changes again after meshctl pause')
      .description('Sends all changes since meshctl pause to the cluster, or to all clusters if none is named.'),
  )
    .addHelpText('after', '\nExamples:\n  meshctl unpause\n  meshctl unpause cluster-1')
    .action(async (cluster: string | undefined, options: ManagementOptions) =>
      (await import('../online/actions.ts')).pause(cluster, false, options),
    );
}
