/** The status of a virtual destination: the Services behind it are its targets, and meshes of which there is something to say. */
import { type ClusterObjectRef, MAX_SELECTED_DESTINATIONS, type Report } from '@meshrelay/api';
import type { Read } from '../graph/collection.ts';
import { type Key, partsOf } from '../graph/key.ts';
import type { Resolved } from '../resolve/resolve.ts';
import { type MutableTarget, newTarget, targetId } from './policy-targets.ts';

/** What callers have. */
export interface VirtualDestinationFacts {
  readonly address?: string;
  readonly selectedDestinations?: readonly ClusterObjectRef[];
}

/** The first facts; and the targets, into `told`, with the reports about the virtual destination itself. */
export function virtualDestinationFacts(
  read: Read,
  { virtualDestinations: { plans, addresses, consumers } }: Resolved,
  policy: Key,
  told: Map<Key, MutableTarget>,
): { readonly facts: VirtualDestinationFacts; readonly reports: readonly Report[] } {
  const plan = read.get(plans, policy);
  if (plan === undefined) return { facts: {}, reports: [] };
  const { members, scope, problems } = plan;
  const address = read.get(addresses, policy);
  for (const { destination } of members)
    told.set(targetId('Destination', destination), newTarget('Destination', destination));
  return {
    facts: {
      ...(address === undefined ? {} : { address }),
      ...(members.length === 0
        ? {}
        : {
            selectedDestinations: members
              .slice(0, MAX_SELECTED_DESTINATIONS)
              .map(({ destination }) => refOf(destination)),
          }),
    },
    reports: [
      ...scope.reports,
      ...(members.length === 0 && problems.length === 0 && scope.reports.length === 0 ? [NOTHING_BEHIND] : []),
      ...(address === undefined && read.count(consumers.inForce, policy) > 0 ? [ADDRESS_PENDING] : []),
    ],
  };
}

const NOTHING_BEHIND: Report = {
  code: 'NOTHING_SELECTED',
  severity: 'warning',
  field: 'spec',
  message: 'no destination that is known stands behind the name; it takes effect once there is one',
};

const ADDRESS_PENDING: Report = {
  code: 'ADDRESS_PENDING',
  severity: 'error',
  field: 'spec.hostname',
  message:
    'the name has no virtual IP address yet; it takes effect as soon as the server that holds the Lease has decided it',
};

function refOf(destination: Key): ClusterObjectRef {
  const [clusterName = '', namespace = '', name = ''] = partsOf(destination);
  return { name, namespace, clusterName };
}
