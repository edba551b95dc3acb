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
      .summary('keep the outputs of a cluster, or of all, as they are')
      .description(
        'Nothing new is sent to the cluster, or to any where none is named, until meshctl unpause. Agents keep what they have as it was and put drift right; what clusters tell still counts. Sets spec.paused of the KubernetesCluster, or of Settings. Audited.',
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
      .summary('send outputs again after meshctl pause')
      .description('What changed meanwhile is sent to the cluster, or to all where none is named.'),
  )
    .addHelpText('after', '\nExamples:\n  meshctl unpause\n  meshctl unpause cluster-1')
    .action(async (cluster: string | undefined, options: ManagementOptions) =>
      (await import('../online/actions.ts')).pause(cluster, false, options),
    );
}
