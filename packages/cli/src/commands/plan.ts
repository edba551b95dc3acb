/** `meshctl plan`: previews which objects a change would write and delete, and in which clusters. */
import type { Command } from 'commander';
import { offlineOptions } from '../offline/fleet-options.ts';
import type { PlanCommandOptions } from '../plan/print-plan.ts';
import { clusterName } from './names.ts';
import { collect, outputOption, repeated } from './options.ts';

export function addPlan(program: Command): void {
  const command = program
    .command('plan')
    .summary('preview which objects a change would write and delete, from files')
    .description(
      'Compares the outputs of every cluster before and after a change: objects, their fields, their source policies, and which destinations change. Give the current state as for meshctl translate; inputs without an --after option stay the same. Policies keep their acceptance sequence and hosts their addresses, as on a server.\nExits 0 if nothing would change, 2 if something would, 1 on bad input.',
    );
  offlineOptions(command)
    .option('--apply <PATH>', 'objects to apply over those of the management cluster (repeatable)', collect, [])
    .option(
      '--after-config <PATH>',
      'objects of the management cluster after the change, instead of all --config (repeatable)',
      collect,
      [],
    )
    .option('--after-settings <PATH>', 'the Settings object after the change')
    .option('--after-cluster <NAME=PATH>', "a cluster's objects after the change (repeatable)", collect, [])
    .option('--without-cluster <NAME>', 'a cluster that the change removes (repeatable)', repeated(clusterName), [])
    .addOption(outputOption())
    .addHelpText(
      'after',
      '\nExamples:\n  meshctl plan --cluster cluster-1=east.yaml --config policies/ --apply canary.yaml\n  meshctl plan --cluster cluster-1=east.yaml --config main/policies --after-config branch/policies -o json\n  kubectl get ledgers.admin.meshrelay.dev -n meshrelay -o yaml > ledger.yaml   # for --ledger: the current acceptance sequence of policies',
    )
    .action(async (options: PlanCommandOptions) => (await import('../plan/print-plan.ts')).printPlan(options));
}
