/** `meshctl fence`. */
import type { Command } from 'commander';
import type { FenceOptions } from '../offline/fence.ts';
import { namespaceName } from './names.ts';
import { collect, manifestOption } from './options.ts';

export function addFence(program: Command): void {
  program
    .command('fence')
    .summary('print the admission policy that refuses late writes of a former leader')
    .description(
      'Prints a ValidatingAdmissionPolicy and its binding for a workload cluster (Kubernetes 1.30 or later): its API server then refuses what an agent that leads no longer still creates. Without it such an object is removed by the new leader.',
    )
    .option('--namespace <NAME>', 'where the agent is', namespaceName, 'meshrelay')
    .option('--plugin <MODULE>', 'a mesh plugin of the agents besides those built in (repeatable)', collect, [])
    .addOption(manifestOption())
    .addHelpText('after', '\nExample:\n  meshctl fence | kubectl --context cluster-1 apply -f -')
    .action(async (options: FenceOptions) => (await import('../offline/fence.ts')).printFence(options));
}
