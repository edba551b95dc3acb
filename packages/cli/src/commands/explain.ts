/** `meshctl explain`: prints which policies set which fields, what was not applied, and why. */
import type { Command } from 'commander';
import type { ExplainOptions } from '../explain/print-explanation.ts';
import { offlineOptions } from '../offline/fleet-options.ts';
import { outputOption, serverOptions } from './options.ts';

export function addExplain(program: Command): void {
  const command = program
    .command('explain <object>')
    .summary('show which policies set which fields, and what was not applied')
    .description(
      'Explains a policy, a destination, or an object in a cluster. Name it as [KIND/][[CLUSTER/]NAMESPACE/]NAME, with _ for the management cluster; for a destination or VirtualDestination, also by host name. Asks the server; with cluster files, reads those.',
    );
  serverOptions(offlineOptions(command), 'HTTP API of the server, if no cluster files are given')
    .addOption(outputOption())
    .addHelpText(
      'after',
      '\nExamples:\n  meshctl explain reviews.bookshop.svc.cluster.local --cluster cluster-1=east.yaml --config policies.yaml\n  meshctl explain trafficpolicy/reviews-canary\n  meshctl explain virtualservice/cluster-1/bookshop/meshrelay-reviews',
    )
    .action(async (object: string, options: ExplainOptions) =>
      (await import('../explain/print-explanation.ts')).printExplanation(object, options),
    );
}
