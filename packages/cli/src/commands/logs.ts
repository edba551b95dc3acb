/** `meshctl logs`: prints the access logs of proxies in all clusters. */

import type { Command } from 'commander';
import type { LogsOptions } from '../observe/logs-options.ts';
import { clusterName, workloadName } from './names.ts';
import { durationOption, outputOption, positive, repeated, serverOptions } from './options.ts';

export function addLogs(program: Command): void {
  const command = program
    .command('logs')
    .summary('show or follow access logs from all clusters')
    .description(
      'Shows access log entries of workloads: the newest that match all filters, oldest first. The server requests them from the agents. AccessLogRecords configure which entries and headers are stored.\nExits 2 if a cluster, or a replica of its agent, did not answer, and names it on stderr.',
    )
    .option(
      '--workload <NAME[.NAMESPACE]>',
      'workload whose proxy logged the entry; in any namespace, if none is given',
      workloadName,
    )
    .option('--cluster <NAME>', 'entries of this cluster only (repeatable)', repeated(clusterName), [])
    .option('-f, --follow', 'continue with new entries')
    .option('--status <CODES>', '503, 5xx, 400-499 or ">=500"; several with commas')
    .option('--path <PREFIX>', 'prefix of the path')
    .option('--method <METHOD>', 'such as POST')
    .option('--source <NAME[.NAMESPACE]>', 'who called', workloadName)
    .option('--destination <NAME[.NAMESPACE]>', 'called workload', workloadName)
    .addOption(durationOption('--since', 'requests that began within this time, such as 10m'))
    .option(
      '--limit <N>',
      'maximum number of entries, by default 100; with -f, maximum of earlier entries for each cluster',
      positive,
    )
    .addOption(outputOption('columns, or one line of JSON or one YAML document for each entry'));
  serverOptions(command)
    .addHelpText(
      'after',
      "\nExamples:\n  meshctl logs --workload reviews.bookinfo --status 5xx --since 10m\n  meshctl logs -f --source productpage --destination reviews\n  meshctl logs --path /api -o json | jq -c '[.time, .status, .path]'",
    )
    .action(async (options: LogsOptions) => (await import('../observe/logs.ts')).logs(options));
}
