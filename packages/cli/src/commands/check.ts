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
        'Checks the custom resource definitions, the server and the version of each of its replicas, the connections of all agents, whether outputs are sent to all clusters, the state of all policies, and whether they are applied. What only the server would know is not known while none is at work.\nExits 0 when all is well, 2 when something is not, with a hint.',
      ),
  )
    .addHelpText('after', '\nExample:\n  meshctl check --mgmt-context mgmt')
    .action(async (options: ManagementOptions) => (await import('../online/actions.ts')).check(options));
}
