/** `meshctl check`. */
import type { Command } from 'commander';
import type { ListOptions } from '../online/actions.ts';

export function addCheck(program: Command): void {
  program
    .command('check')
    .summary('check that an installation works')
    .description(
      'Checks the custom resource definitions, the server, the connections of all agents and the state of all policies.\nExits 0 when all is well, 2 when something is not, with a hint.',
    )
    .option('--mgmt-kubeconfig <FILE>', 'kubeconfig of the management cluster')
    .option('--mgmt-context <NAME>', 'its context')
    .option('--namespace <NAME>', 'where the server is', 'meshrelay')
    .action(async (options: ListOptions) => (await import('../online/actions.ts')).check(options));
}
