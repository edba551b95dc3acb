/** `meshctl approve`. */
import type { Command } from 'commander';
import type { ApproveOptions } from '../online/approve.ts';
import { clusterName } from './names.ts';
import { durationOption, managementOptions } from './options.ts';

export function addApprove(program: Command): void {
  managementOptions(
    program
      .command('approve')
      .argument('[cluster]', '', clusterName)
      .summary('let deletions go that the server holds back')
      .description(
        'When many outputs of a cluster are no longer wanted, and nobody was seen to delete what they follow from, the server deletes none of them until somebody looks. --list shows what is held; without it exactly that is approved. What comes to be held later needs an approval of its own.\nExits 2 where nothing is held, or other deletions than those of --digest.',
      ),
  )
    .option('--list', 'only show what would be deleted')
    .option('--digest <DIGEST>', 'approve only if what is held is still what --list showed under this digest')
    .addOption(durationOption('--timeout', 'how long to wait until the server has taken it up; 0s not to wait', '1m'))
    .addHelpText('after', '\nExample:\n  meshctl approve --list\n  meshctl approve cluster-1 --digest 0f3a…')
    .action(async (cluster: string | undefined, options: ApproveOptions) =>
      (await import('../online/actions.ts')).approve(cluster, options),
    );
}
