/** `meshctl fence`. */
import type { Command } from 'commander';
import type { FenceOptions } from '../offline/fence.ts';
import { namespaceName } from './names.ts';
import { collect, manifestOption } from './options.ts';

export function addFence(program: Command): void {
  program
    .command('fence')
    .summary('generate the admission policy that rejects writes of former leaders')
    .description(
      'Prints a ValidatingAdmissionPolicy and its binding for a workload cluster (Kubernetes 1.30 or later). With it, the API server rejects objects that a former leader still creates. Without it, the new leader deletes such objects.',
    )
    .option('-n, --namespace <NAME>', 'namespace of the agent', namespaceName, 'meshrelay')
    .option('--plugin <MODULE>', 'an additional mesh plugin of the agents (repeatable)', collect, [])
    .addOption(manifestOption())
    .addHelpText('after', '\nExample:\n  meshctl fence | kubectl --context cluster-1 apply -f -')
    .action(async (options: FenceOptions) => (await import('../offline/fence.ts')).printFence(options));
}
