/** `meshctl plan`: previews which objects a change would write and delete, and in which clusters. */
import type { Command } from 'commander';
import { offlineOptions } from '../offline/fleet-options.ts';
import type { PlanCommandOptions } from '../plan/print-plan.ts';
import { clusterName } from './names.ts';
import { collect, outputOption, repeated } from './options.ts';

export function addPlan(program: Command): void {
  const command = program
    .command('plan')
    .summary('say what a change would write and delete, and where, from files alone')
    .description(
      'Compares what every cluster has with what it would have after a change: objects, their fields, the policies behind them, and how far it reaches. What there is now is given as to meshctl translate; all that is not said to be otherwise stays. Policies keep their turns and hosts their addresses, as on a server.\nExits 0 when nothing would change, 2 when something would, 1 on bad input.',
    );
  offlineOptions(command)
    .option('--apply <PATH>', 'objects to apply over those of the management cluster (repeatable)', collect, [])
    .option(
      '--after-config <PATH>',
      'its objects after the change, in place of all of --config (repeatable)',
      collect,
      [],
    )
    .option('--after-settings <PATH>', 'the Settings object after the change')
    .option('--after-cluster <NAME=PATH>', "a cluster's objects after the change (repeatable)", collect, [])
    .option(
      '--without-cluster <NAME>',
      'a cluster that is gone after the change (repeatable)',
      repeated(clusterName),
      [],
    )
    .addOption(outputOption())
    .addHelpText(
      'after',
      '\nExamples:\n  meshctl plan --cluster cluster-1=east.yaml --config policies/ --apply canary.yaml\n  meshctl plan --cluster cluster-1=east.yaml --config main/policies --after-config branch/policies -o json\n  kubectl get ledgers.admin.meshrelay.dev -n meshrelay -o yaml > ledger.yaml   # for --ledger: the turns that policies have now',
    )
    .action(async (options: PlanCommandOptions) => (await import('../plan/print-plan.ts')).printPlan(options));
}
