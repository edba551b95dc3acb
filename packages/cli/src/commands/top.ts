/** `meshctl top`: prints callers and destinations with request rate, success rate and latency. */

import type { Command } from 'commander';
import type { TopOptions } from '../observe/top-options.ts';
import { clusterName, workloadName } from './names.ts';
import { namespaceFilter, outputOption, positive, serverOptions } from './options.ts';

export function addTop(program: Command): void {
  const command = program
    .command('top')
    .summary('show request rate, success rate and latency by workload and caller')
    .description(
      'Shows for workloads and their callers: requests per second, success rate (responses other than 5xx), and latency at the 50th, 90th and 99th percentile; over the last seconds, summed over all clusters. The server requests the counts from the agents, which count access log entries.\nExits 2 if a cluster, or a replica of its agent, did not answer, and names it on stderr.',
    )
    .option(
      '--cluster <NAME>',
      'workloads of this cluster, with their callers and the workloads they call',
      clusterName,
    );
  namespaceFilter(command, 'workloads')
    .option('--workload <NAME[.NAMESPACE]>', 'this workload', workloadName)
    .option('-w, --watch', 'refresh every five seconds')
    .option('--limit <N>', 'workloads, and edges, at most', positive, 50)
    .addOption(outputOption('tables, or one line of JSON or one YAML document for each refresh'));
  serverOptions(command)
    .addHelpText('after', '\nExample:\n  meshctl top -n bookinfo -w')
    .action(async (options: TopOptions) => (await import('../observe/top.ts')).top(options));
}
