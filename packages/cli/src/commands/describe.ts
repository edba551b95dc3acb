/** `meshctl describe`: prints a mesh, workload, destination or policy as tables. */
import process from 'node:process';
import type { Command } from 'commander';
import { checkDescribed, describeText } from '../describe/describe.ts';
import { fleetOfPlane, type KnownFleet } from '../describe/known-fleet.ts';
import { type FleetOptions, fleetFrom, offlineOptions } from '../offline/fleet-options.ts';
import type { ManagementOptions } from '../online/management.ts';
import { requestTimeoutOption } from './options.ts';

export type DescribeOptions = FleetOptions & ManagementOptions;

export function addDescribe(program: Command): void {
  const command = program
    .command('describe <mesh|workload|destination|policy> <name>')
    .summary('show a mesh, workload, destination or policy, and what applies to it')
    .description(
      'Shows one mesh, workload, destination or policy as tables, with what applies to it. Give its kind if you like (trafficpolicy, virtualdestination, workspace, …). Name it as in the management cluster, or as\n[[CLUSTER/]NAMESPACE/]NAME. Reads the management cluster, whose statuses list at most 20 targets; with cluster files, reads those and lists all targets.',
    );
  offlineOptions(command)
    .option('--mgmt-kubeconfig <FILE>', 'kubeconfig of the management cluster, if no cluster files are given')
    .option('--mgmt-context <NAME>', 'its context')
    .addOption(requestTimeoutOption())
    .addHelpText(
      'after',
      '\nExamples:\n  meshctl describe mesh istiod-istio-system-cluster-1\n  meshctl describe destination cluster-1/bookshop/reviews\n  meshctl describe policy reviews-canary --cluster cluster-1=east.yaml --config policies.yaml',
    )
    .action(async (kind: string, name: string, options: DescribeOptions) => {
      checkDescribed(kind);
      process.stdout.write(describeText(await fleetToDescribe(options), kind, name));
    });
}

async function fleetToDescribe(options: DescribeOptions): Promise<KnownFleet> {
  if (options.cluster.length > 0) return fleetOfPlane(await fleetFrom(options, { wholeStatuses: true }));
  return (await import('../online/actions.ts')).known(options);
}
