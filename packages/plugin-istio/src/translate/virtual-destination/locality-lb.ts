/** `localityLbSetting`: which endpoints go first. */
import type { Output, VirtualDestinationView, VirtualEndpointGroup } from '@meshrelay/relay-core';
import { present } from '../../present.ts';
import { regionFailovers } from './directives.ts';
import { type Levels, levels } from './levels.ts';

const REGION = 'topology.kubernetes.io/region';
const ZONE = 'topology.kubernetes.io/zone';

/** The levels of the groups: as they are ordered, or the caller's own cluster before all others. */
export function levelsOf({ groups, failover }: VirtualDestinationView): {
  readonly all: Levels;
  labelsOf(group: VirtualEndpointGroup): Readonly<Record<string, string>>;
} {
  const priorityOf = ({ priority, local }: VirtualEndpointGroup) =>
    failover.kind === 'static' ? priority : local ? 0 : 1;
  const local = groups.find((group) => group.local);
  const all = levels(groups.map(priorityOf), local === undefined ? undefined : priorityOf(local));
  return { all, labelsOf: (group) => all.labelsOf(priorityOf(group)) };
}

/**
 * Istio takes no places among the labels where regions are told to fail over to others, and looks at no place but those labels where they are
 * not. Then the caller's region goes first, and in it the caller's own cluster.
 */
export function localityLbSetting(
  view: VirtualDestinationView,
  { failoverPriority }: Levels,
  out: Output,
): Record<string, unknown> {
  const { failover } = view;
  if (failover.kind === 'static') return present({ enabled: true, failoverPriority });
  const directed = regionFailovers(failover.directives, view, out);
  if (directed.length > 0) return present({ enabled: true, failover: directed, failoverPriority });
  return present({
    enabled: true,
    failoverPriority: failoverPriority.length === 0 ? [] : [REGION, ...failoverPriority, ZONE],
  });
}
