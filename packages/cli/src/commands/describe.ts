/** `meshctl describe`: prints a mesh, workload, destination or policy as tables. */
import type { Command } from 'commander';
import type { DescribeOptions } from '../describe/print-description.ts';
import { offlineOptions } from '../offline/fleet-options.ts';
import { managementConnection, requestTimeoutOption } from './options.ts';

export function addDescribe(program: Command): void {
  const command = program
    .command('describe <mesh|workload|destination|policy> <name>')
    .summary('show a mesh, workload, destination or policy, and what applies to it')
    .description(
      'Shows one mesh, workload, destination or policy as tables, with what applies to it. Give its kind if you like (trafficpolicy, virtualdestination, workspace, …). Name it as in the management cluster, or as\n[[CLUSTER/]NAMESPACE/]NAME. Reads the management cluster, whose statuses list at most 20 targets; with cluster files, reads those and lists all targets.',
    );
  managementConnection(offlineOptions(command), ', if no cluster files are given')
    .addOption(requestTimeoutOption())
    .addHelpText(
      'after',
      '\nExamples:\n  meshctl describe mesh istiod-istio-system-cluster-1\n  meshctl describe destination cluster-1/bookshop/reviews\n  meshctl describe policy reviews-canary --cluster cluster-1=east.yaml --config policies.yaml',
    )
    .action(async (kind: string, name: string, options: DescribeOptions) =>
      (await import('../describe/print-description.ts')).printDescription(kind, name, options),
    );
}
