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
      .summary('approve deletions that the deletion guard holds')
      .description(
        'The deletion guard holds the deletions of a cluster when many outputs would go and no user deleted the objects they are derived from. --list shows the held deletions. Without --list, the command approves exactly these; deletions held later need their own approval.\nExits 2 if nothing is held, or if the held deletions do not match --digest.',
      ),
  )
    .option('--list', 'only show the held deletions')
    .option('--digest <DIGEST>', 'approve only if --list still shows this digest')
    .addOption(
      durationOption('--timeout', 'how long to wait for the server to apply the approval; 0s not to wait', '1m'),
    )
    .addHelpText('after', '\nExample:\n  meshctl approve --list\n  meshctl approve cluster-1 --digest 0f3a…')
    .action(async (cluster: string | undefined, options: ApproveOptions) =>
      (await import('../online/actions.ts')).approve(cluster, options),
    );
}
