/** `meshctl support-bundle`. */
import type { Command } from 'commander';
import type { SupportBundleOptions } from '../support/support-bundle.ts';
import { collect, managementOptions, positive } from './options.ts';

export function addSupportBundle(program: Command): void {
  managementOptions(
    program
      .command('support-bundle')
      .summary('collect objects, logs and checks for support, without secrets')
      .description(
        "Writes a folder with the objects of Meshrelay, its Deployments, pods, Events and Leases, the logs of its pods and the results of meshctl check. Of Secrets and ConfigMaps it has only the keys and the settings of Meshrelay's programs; values of annotations and variables, and what looks like a credential in a text, are replaced by [redacted]. What you may not read is listed in problems.txt.",
      ),
  )
    .option('--out <DIR>', 'new or empty folder', 'meshrelay-support')
    .option('--agent-context <NAME>', 'also collect from the cluster of this context (repeatable)', collect, [])
    .option('--log-lines <N>', 'lines of each log, from its end', positive, 5000)
    .addHelpText(
      'after',
      '\nExamples:\n  meshctl support-bundle --context mgmt\n  meshctl support-bundle --context mgmt --agent-context east --out case-17',
    )
    .action(async (options: SupportBundleOptions) =>
      (await import('../support/support-bundle.ts')).supportBundle(options),
    );
}
