/** The Services that virtual destinations name or select, before any of them is checked. */
import type { VirtualDestination } from '@meshrelay/api';
import type { Collection, Group, Key } from '@meshrelay/plugin';
import { backendsOf } from '../../fields/virtual-destination/mod.ts';
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
    candidateBuckets: ({ object }) => selectorBuckets(backendsOf(object.spec).selectors),
    matches: ({ object, authority }, destination) =>
      (owns(authority, destination) || imports(authority, destination)) &&
      selects(backendsOf(object.spec).selectors, destination),
  });
  return graph.group(
    'resolve/services-of-virtual-destination',
    pairs,
    ({ left, right }): Array<readonly [Key, Key]> => [[left, right]],
  );
}
