/** `meshctl relay rotate-ca`. */
import type { Command } from 'commander';
import type { RotateCaOptions } from '../online/actions.ts';
import { clusterName } from './names.ts';
import { durationOption, managementOptions, repeated } from './options.ts';

export function addRelay(program: Command): void {
  const rotate = program
    .command('relay')
    .summary('look after the relay between server and agents')
    .command('rotate-ca')
    .summary('exchange the root of the relay’s certificates')
    .description(
      'Exchanges the root that vouches for server and agents, in three steps: every agent trusts the old and the new one; everything is signed under the new one; the old one is dropped. Each step waits until every agent is as far. Where it is cut short, the same command goes on.',
    )
    .option('--abort', 'lead back to the root from before; possible until the old one is dropped')
    .option('--without <NAME>', 'a cluster that is not waited for (repeatable)', repeated(clusterName), [])
    .addOption(durationOption('--timeout', 'how long each step waits for the agents', '15m'));
  managementOptions(rotate)
    .addHelpText(
      'after',
      '\nExamples:\n  meshctl relay rotate-ca\n  meshctl relay rotate-ca --without cluster-3\n  meshctl relay rotate-ca --abort',
    )
    .action(async (options: RotateCaOptions) => (await import('../online/actions.ts')).rotate(options));
}
