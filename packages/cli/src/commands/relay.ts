/** `meshctl relay rotate-ca`. */
import type { Command } from 'commander';
import type { RotateCaOptions } from '../online/actions.ts';
import { clusterName } from './names.ts';
import { durationOption, managementOptions, repeated } from './options.ts';

export function addRelay(program: Command): void {
  const rotate = program
    .command('relay')
    .summary('manage the certificate authority of the agent connections')
    .command('rotate-ca')
    .summary('rotate the root of the relay’s certificates')
    .description(
      'Rotates the root CA of server and agents in three steps: every agent trusts the old and the new root; every certificate is issued under the new root; the old root is removed. Each step waits for every agent. If the command is interrupted, run it again to continue.',
    )
    .option('--abort', 'return to the previous root; possible until the old root is removed')
    .option('--without <NAME>', 'do not wait for this cluster (repeatable)', repeated(clusterName), [])
    .addOption(durationOption('--timeout', 'how long each step waits for the agents', '15m'));
  managementOptions(rotate)
    .addHelpText(
      'after',
      '\nExamples:\n  meshctl relay rotate-ca\n  meshctl relay rotate-ca --without cluster-3\n  meshctl relay rotate-ca --abort',
    )
    .action(async (options: RotateCaOptions) => (await import('../online/actions.ts')).rotate(options));
}
