/** The failover regions of callers: Istio supports one target for each region. */
import type {
  FailoverDirectiveView,
  LocalityView,
  Output,
  VirtualDestinationRows,
  VirtualDestinationView,
} from '@meshrelay/plugin';

export const LOCALIZED: VirtualDestinationRows<'localized'> = {
  'virtualDestination.localized': 'native',
  'virtualDestination.localized.directives': 'native',
};

export interface RegionFailover {
  readonly from: string;
  readonly to: string;
}

/**
 * The failover of each region, in the order of the directives; reports unsupported directives to the virtual
 * destination.
 */
export function regionFailovers(
  directives: readonly FailoverDirectiveView[],
  { virtualDestination }: VirtualDestinationView,
  out: Output,
): readonly RegionFailover[] {
  const failovers = new Map<string, RegionFailover>();
  for (const [position, { from, to }] of directives.entries()) {
    const lose = (what: string) =>
      out.report(virtualDestination, {
        code: 'DEGRADED',
        severity: 'warning',
        field: `spec.localized.failoverDirectives[${position}]`,
        message: `Istio fails over from a region to one other region: ${what}`,
      });
    if (failovers.has(from.region)) {
      lose(`an earlier directive is for ${from.region}, so this one has no effect; remove it`);
      continue;
    }
    const others = to.filter(({ region }) => region !== from.region);
    const [first, second] = others;
    if (isWithin(from) || to.some(isWithin))
      lose('zones are ignored, and within a region the nearest endpoints are always first');
    if (second !== undefined && second.region !== first?.region)
      lose(`after ${first?.region} all other regions are equal, and ${second.region} gets no preference`);
    if (first !== undefined) failovers.set(from.region, { from: from.region, to: first.region });
  }
  return [...failovers.values()];
}

function isWithin({ zone }: LocalityView): boolean {
  return zone !== undefined;
}
