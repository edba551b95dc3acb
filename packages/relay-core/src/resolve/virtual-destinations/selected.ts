/** The Services that virtual destinations name or select, before any of them is checked. */
import type { DestinationSelector, VirtualDestination, VirtualDestinationSpec } from '@meshrelay/api';
import { type Collection, type Group, type Key, key } from '@meshrelay/plugin';
import type { Graph } from '../../graph/collection.ts';
import { type Destinations, selectorBuckets, selects } from '../inventory/mod.ts';
import type { CheckedPolicy } from '../policies/mod.ts';
import { type Authorities, imports, owns, type PolicyScope } from '../workspaces/mod.ts';

/** A valid virtual destination, with what it may act on. */
export interface CheckedVirtualDestination extends CheckedPolicy<VirtualDestination> {
  readonly authority: PolicyScope;
}

/** Valid virtual destinations, under their policy keys. */
export function virtualDestinationsAmong(
  graph: Graph,
  checked: Collection<CheckedPolicy>,
  { ofPolicy }: Authorities,
): Collection<CheckedVirtualDestination> {
  return graph.derive('resolve/virtual-destinations', checked, (policy, read, id) => {
    const authority = policy.object.kind === 'VirtualDestination' ? read.get(ofPolicy, id) : undefined;
    return authority === undefined ? undefined : ({ ...policy, authority } as CheckedVirtualDestination);
  });
}

/** The selectors of a virtual destination; a fixed order names its Services one by one. */
export function memberSelectors({ static: fixed, localized }: VirtualDestinationSpec): readonly DestinationSelector[] {
  if (fixed === undefined) return localized?.destinationSelectors ?? [];
  return [{ kubeServiceRefs: { services: fixed.destinations.map(({ kubeService }) => kubeService) } }];
}

/**
 * The keys of the selected destinations, by virtual destination: those that it may act on, or that its workspace
 * imports.
 */
export function selectedServices(
  graph: Graph,
  all: Collection<CheckedVirtualDestination>,
  { byBucket }: Destinations,
): Collection<Group<Key>> {
  const pairs = graph.match('resolve/virtual-destination-services', all, byBucket, {
    candidateBuckets: ({ object }) => selectorBuckets(memberSelectors(object.spec)),
    matches: ({ object, authority }, destination) =>
      (owns(authority, destination) || imports(authority, destination)) &&
      selects(memberSelectors(object.spec), destination),
  });
  return graph.group(
    'resolve/services-of-virtual-destination',
    pairs,
    ({ left, right }): Array<readonly [Key, Key]> => [[left, right]],
  );
}

/** The priority of a Service in a fixed order, 0 is the highest; 0 for all without a fixed order. */
export function priorityOf(
  { static: fixed }: VirtualDestinationSpec,
  destination: { readonly cluster: string; readonly namespace: string; readonly name: string },
): number {
  if (fixed === undefined) return 0;
  const own = key(destination.cluster, destination.namespace, destination.name);
  return fixed.destinations.findIndex(
    ({ kubeService: { clusterName, namespace, name } }) => key(clusterName, namespace, name) === own,
  );
}
