/** The order of a virtual destination's endpoints: Istio's load balancing settings, and the labels of the endpoints. */
import type {
  LocalityView,
  Output,
  VirtualDestinationRows,
  VirtualDestinationView,
  VirtualEndpointGroup,
} from '@meshrelay/plugin';
import { present } from '../../present.ts';
import { type RegionFailover, regionFailovers } from './directives.ts';
import { type Levels, levels } from './levels.ts';

export const STATIC: VirtualDestinationRows<'static'> = { 'virtualDestination.static': 'native' };

const REGION = 'topology.kubernetes.io/region';
const ZONE = 'topology.kubernetes.io/zone';

/** A locality without callers and pods. */
const OTHER_CLUSTER: LocalityView = { region: 'other-clusters' };

export interface Order {
  readonly localityLbSetting: Readonly<Record<string, unknown>>;
  /** The labels that distinguish endpoints of a group. */
  labelsOf(group: VirtualEndpointGroup): Readonly<Record<string, string>>;
  /** The locality of all endpoints in other clusters; absent: their real one. */
  readonly remoteLocality?: LocalityView;
}

/** Reports to the virtual destination the order that Istio cannot express. */
export function orderOf(view: VirtualDestinationView, out: Output): Order {
  const all = levelsOf(view);
  const regions = view.failover.kind === 'static' ? [] : regionFailovers(view.failover.directives, view, out);
  if (all.failoverPriority.length > 0 && isResolved(view)) return resolvedOrder(view, all, regions, out);
  return { localityLbSetting: byLevels(view, all, regions), labelsOf: (group) => all.labelsOf(levelOf(view, group)) };
}

/** If one gateway address is a host name, Istio makes proxies resolve all endpoints of the name. */
export function isResolved({ groups }: VirtualDestinationView): boolean {
  return groups.some(({ endpoints }) => endpoints.some(({ kind }) => kind === 'hostname'));
}

/** The levels of the groups: as ordered, or the caller's own cluster before all others. */
function levelsOf(view: VirtualDestinationView): Levels {
  const local = view.groups.find((group) => group.local);
  return levels(
    view.groups.map((group) => levelOf(view, group)),
    local === undefined ? undefined : levelOf(view, local),
  );
}

function levelOf({ failover }: VirtualDestinationView, { priority, local }: VirtualEndpointGroup): number {
  return failover.kind === 'static' ? priority : local ? 0 : 1;
}

/**
 * Istio accepts no localities among the labels if regions have failover targets, and ignores all localities except
 * these labels otherwise. Then the caller's region goes first, and in it the caller's own cluster.
 */
function byLevels(
  { failover }: VirtualDestinationView,
  { failoverPriority }: Levels,
  regions: readonly RegionFailover[],
): Record<string, unknown> {
  if (failover.kind === 'static') return present({ enabled: true, failoverPriority });
  if (regions.length > 0) return present({ enabled: true, failover: regions, failoverPriority });
  return present({
    enabled: true,
    failoverPriority: failoverPriority.length === 0 ? [] : [REGION, ...failoverPriority, ZONE],
  });
}

/**
 * For resolved endpoints Istio reads labels only if all have one locality. With several localities it drops all
 * endpoints except one, and istiod crashes (index out of range). Pods have the locality of their nodes. So if pods are
 * among the endpoints, localities express the order of the others.
 */
function resolvedOrder(
  view: VirtualDestinationView,
  all: Levels,
  regions: readonly RegionFailover[],
  out: Output,
): Order {
  const { groups, failover } = view;
  if (!groups.some(({ local }) => local))
    return {
      localityLbSetting: byLevels(view, all, regions),
      labelsOf: (group) => all.labelsOf(levelOf(view, group)),
      remoteLocality: OTHER_CLUSTER,
    };
  if (regions.length > 0) {
    reportOrder(
      view,
      "the nearest endpoints are used first, without preferring the caller's cluster within its region",
      out,
    );
    return { localityLbSetting: { enabled: true, failover: regions }, labelsOf: () => ({}) };
  }
  if (!isOwnThenOthers(view) || (failover.kind !== 'static' && groups.length > 2))
    reportOrder(view, "the caller's cluster is used first, and all others are equal", out);
  return { localityLbSetting: { enabled: true }, labelsOf: () => ({}), remoteLocality: OTHER_CLUSTER };
}

/** Whether only the caller's cluster comes first, followed by all others together. */
function isOwnThenOthers(view: VirtualDestinationView): boolean {
  const own = view.groups.filter(({ local }) => local).map((group) => levelOf(view, group));
  const others = view.groups.filter(({ local }) => !local).map((group) => levelOf(view, group));
  return new Set(others).size === 1 && own.every((level) => others.every((other) => level < other));
}

function reportOrder(
  { virtualDestination, groups, failover }: VirtualDestinationView,
  what: string,
  out: Output,
): void {
  const before = groups
    .filter(({ endpoints }) => endpoints.some(({ kind }) => kind === 'hostname'))
    .map(({ destination: { cluster } }) => cluster)
    .join(', ');
  out.report(virtualDestination, {
    code: 'DEGRADED',
    severity: 'warning',
    field: `spec.${failover.kind}`,
    message: `gateways of ${before} have host names, and Istio cannot order endpoints with host names: ${what}; give the gateways IP addresses`,
  });
}
