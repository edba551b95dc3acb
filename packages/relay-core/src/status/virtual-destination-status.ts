/** What the status of a virtual destination contains in addition to its targets, which are its backend Services. */
import { type ClusterObjectRef, MAX_SELECTED_DESTINATIONS, type Report } from '@meshrelay/api';
import { type Key, partsOf, type Read } from '@meshrelay/plugin';
import type { Resolved } from '../resolve/mod.ts';

/** What callers need. */
export interface VirtualDestinationFacts {
  readonly address?: string;
  readonly selectedDestinations?: readonly ClusterObjectRef[];
}

/** The facts, and the reports about the virtual destination itself. */
export function virtualDestinationFacts(
  read: Read,
  { virtualDestinations: { plans, addresses, consumers }, unknownPlaces }: Resolved,
  policy: Key,
): { readonly facts: VirtualDestinationFacts; readonly reports: readonly Report[] } {
  const plan = read.get(plans, policy);
  if (plan === undefined) return { facts: {}, reports: [] };
  const { members, scope, problems } = plan;
  const address = read.get(addresses, policy);
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
      ...(address === undefined && read.count(consumers.effective, policy) > 0 ? [ADDRESS_PENDING] : []),
      ...(read.get(unknownPlaces, policy) ?? []),
    ],
  };
}

const NOTHING_BEHIND: Report = {
  code: 'NO_TARGETS_SELECTED',
  severity: 'warning',
  field: 'spec',
  message: 'no selected destination is known, so the name has no backend; it takes effect when one is discovered',
};

const ADDRESS_PENDING: Report = {
  code: 'ADDRESS_PENDING',
  severity: 'error',
  field: 'spec.hostname',
  message: 'the name has no virtual IP yet; it takes effect when the leader assigns one',
};

function refOf(destination: Key): ClusterObjectRef {
  const [clusterName = '', namespace = '', name = ''] = partsOf(destination);
  return { name, namespace, clusterName };
}
