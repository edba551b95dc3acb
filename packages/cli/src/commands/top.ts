/** `meshctl top`: prints callers and destinations with request rate, success rate and latency. */

import type { Command } from 'commander';
import type { TopOptions } from '../observe/top-options.ts';
import { clusterName, namespaceName, workloadName } from './names.ts';
import { outputOption, positive, serverOptions } from './options.ts';

export function addTop(program: Command): void {
  const command = program
    .command('top')
    .summary('show requests, success and durations by workload and by who calls whom')
    .description(
      'Shows what workloads are called with, and who calls whom: requests per second, the share of them that succeeded (were answered, and not with 5xx), and the durations that 50, 90 and 99 of a hundred do not exceed; of the last seconds, added up over all clusters. Asks the server, who counts what the agents counted from access logs.\nExits 2 where a cluster, or a replica of its agent, did not answer: standard error says which.',
    )
    .option('--cluster <NAME>', 'what is in this cluster, with its callers and those it calls', clusterName)
    .option('--namespace <NAME>', 'in this namespace', namespaceName)
    .option('--workload <NAME[.NAMESPACE]>', 'this workload', workloadName)
    .option('-w, --watch', 'again every five seconds')
    .option('--limit <N>', 'workloads, and edges, at most', positive, 50)
    .addOption(outputOption('tables, or for each look a line of JSON or a document of YAML'));
  serverOptions(command)
    .addHelpText('after', '\nExample:\n  meshctl top --namespace bookinfo -w')
    .action(async (options: TopOptions) => (await import('../observe/top.ts')).top(options));
}
