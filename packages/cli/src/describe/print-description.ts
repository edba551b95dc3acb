/** Prints a mesh, workload, destination or policy, of the management cluster or from files. */
import process from 'node:process';
import { fleetFrom } from '../offline/fleet-from.ts';
import type { FleetOptions } from '../offline/fleet-options.ts';
import type { ManagementOptions } from '../online/management.ts';
import { checkDescribed, describeText } from './describe.ts';
import { fleetOfPlane, type KnownFleet } from './known-fleet.ts';

export type DescribeOptions = FleetOptions & ManagementOptions;

export async function printDescription(kind: string, name: string, options: DescribeOptions): Promise<void> {
  checkDescribed(kind);
  process.stdout.write(describeText(await fleetToDescribe(options), kind, name));
}

async function fleetToDescribe(options: DescribeOptions): Promise<KnownFleet> {
  if (options.cluster.length > 0) return fleetOfPlane(await fleetFrom(options, { wholeStatuses: true }));
  return (await import('../online/actions.ts')).known(options);
}
