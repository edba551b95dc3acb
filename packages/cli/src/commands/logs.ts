/** `meshctl logs`: prints the access logs of proxies in all clusters. */

import type { Command } from 'commander';
import type { LogsOptions } from '../observe/logs-options.ts';
import { clusterName, workloadName } from './names.ts';
import { durationOption, outputOption, positive, repeated, serverOptions } from './options.ts';

export function addLogs(program: Command): void {
  const command = program
    .command('logs')
    .summary('show the access logs of workloads, in all clusters, and follow them')
    .description(
      'Shows what the proxies of workloads have logged: the newest entries that meet all that is asked, oldest first. Asks the server, who asks the agents. Which entries and headers are kept is what AccessLogRecords say.\nExits 2 where a cluster, or a replica of its agent, did not answer: standard error says which.',
    )
    .option(
      '--workload <NAME[.NAMESPACE]>',
      "whose proxy logged it; the namespace is any, unless it's named",
      workloadName,
    )
    .option('--cluster <NAME>', 'only of this cluster (repeatable)', repeated(clusterName), [])
    .option('-f, --follow', 'go on with what is logged from now on')
    .option('--status <CODES>', '503, 5xx, 400-499 or ">=500"; several with commas')
    .option('--path <PREFIX>', 'the beginning of the path')
    .option('--method <METHOD>', 'such as POST')
    .option('--source <NAME[.NAMESPACE]>', 'who called', workloadName)
    .option('--destination <NAME[.NAMESPACE]>', 'who was called', workloadName)
    .addOption(durationOption('--since', 'what began in this time, such as 10m'))
    .option(
      '--limit <N>',
      'entries at most, 100 unless said otherwise; with -f, of each cluster to begin with',
      positive,
    )
    .addOption(outputOption('columns, or for each entry a line of JSON or a document of YAML'));
  serverOptions(command)
    .addHelpText(
      'after',
      "\nExamples:\n  meshctl logs --workload reviews.bookinfo --status 5xx --since 10m\n  meshctl logs -f --source productpage --destination reviews\n  meshctl logs --path /api -o json | jq -c '[.time, .status, .path]'",
    )
    .action(async (options: LogsOptions) => (await import('../observe/logs.ts')).logs(options));
}
