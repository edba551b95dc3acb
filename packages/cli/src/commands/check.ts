/** `meshctl check`. */
import type { Command } from 'commander';
import type { ManagementOptions } from '../online/management.ts';
import { managementOptions } from './options.ts';

export function addCheck(program: Command): void {
  managementOptions(
    program
      .command('check')
      .summary('check that an installation works')
      .description(
        'Checks the CRDs, the server and the version of each replica, the connections of all agents, whether outputs reach all clusters, and the state of all policies and whether they are applied. Without a running server some of this is unknown.\nExits 0 if there are no problems, 2 if there are, with a hint for each.',
      ),
  )
    .addHelpText('after', '\nExample:\n  meshctl check --mgmt-context mgmt')
    .action(async (options: ManagementOptions) => (await import('../online/actions.ts')).check(options));
}
