/** `meshctl explain`: prints which policies set which fields, what was not applied, and why. */
import process from 'node:process';
import { type ExplainAnswer, type ExplainDocument, explain } from '@meshrelay/relay-core';
import type { Command } from 'commander';
import { explainText } from '../explain/explain-text.ts';
import { explainByServer } from '../explain/server.ts';
import { type FleetOptions, fleetFrom, offlineOptions } from '../offline/fleet-options.ts';
import { format, type OutputFormat } from '../output/format.ts';
import { InputError } from '../problem.ts';
import { outputOption, type ServerOptions, serverChoice, serverOptions } from './options.ts';

interface ExplainOptions extends FleetOptions, ServerOptions {
  readonly output: OutputFormat;
}

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
    .action(async (object: string, options: ExplainOptions) => {
      const answer =
        options.cluster.length === 0
          ? await explainByServer(serverChoice(options), object)
          : explain(await fleetFrom(options), object);
      const document = documentOf(answer);
      process.stdout.write(options.output === 'text' ? explainText(document) : format(document, options.output));
    });
}

function documentOf(answer: ExplainAnswer): ExplainDocument {
  if ('problem' in answer) throw new InputError(answer.message);
  return answer.document;
}
