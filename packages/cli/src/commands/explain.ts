/** `meshctl explain`: prints which policies set which fields, what was not applied, and why. */
import type { Command } from 'commander';
import type { ExplainOptions } from '../explain/print-explanation.ts';
import { offlineOptions } from '../offline/fleet-options.ts';
import { outputOption, serverOptions } from './options.ts';

export function addExplain(program: Command): void {
  const command = program
    .command('explain <object>')
    .summary('say which policies gave what, what was withheld and why')
    .description(
      'Explains a policy, a destination, or an object that was written to a cluster. It is named as [KIND/][[CLUSTER/]NAMESPACE/]NAME, with _ for the management cluster; destinations, VirtualDestinations too, also by a host name. Asks the server, or works from files where clusters are given.',
    );
  serverOptions(offlineOptions(command), 'HTTP API of the server, where no clusters are given')
    .addOption(outputOption())
    .addHelpText(
      'after',
      '\nExamples:\n  meshctl explain reviews.bookshop.svc.cluster.local --cluster cluster-1=east.yaml --config policies.yaml\n  meshctl explain trafficpolicy/reviews-canary\n  meshctl explain virtualservice/cluster-1/bookshop/meshrelay-reviews',
    )
    .action(async (object: string, options: ExplainOptions) =>
      (await import('../explain/print-explanation.ts')).printExplanation(object, options),
    );
}
