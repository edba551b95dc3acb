/** Locality directives for regions in which no backend runs. */
import { type Report, shortList } from '@meshrelay/api';
import type { Collection } from '@meshrelay/plugin';
import type { Graph } from '../../graph/collection.ts';
import type { FleetState } from '../../store/fleet-state.ts';
import type { VirtualPlan } from '../virtual-destinations/mod.ts';

const MAX_NAMED = 5;

/** Reports to virtual destinations about such directives, under the keys of the policies. */
export function unknownPlaces(
  graph: Graph,
  { destinations }: Pick<FleetState, 'destinations'>,
  plans: Collection<VirtualPlan>,
): Collection<readonly Report[]> {
  return graph.derive('resolve/virtual-unknown-localities', plans, ({ spec, members }, read) => {
    const directives = spec.localized?.failoverDirectives ?? [];
    if (directives.length === 0) return undefined;
    const known = new Set(
      members.flatMap(({ destination }) => read.get(destinations, destination)?.value.spec.kubeService.region ?? []),
    );
    if (known.size === 0) return undefined;
    const reports = directives.flatMap(({ to }, directive) =>
      to.flatMap(({ region }, position) =>
        known.has(region)
          ? []
          : [
              nothingThere(
                `spec.localized.failoverDirectives[${directive}].to[${position}].region`,
                region,
                [...known].sort(),
              ),
            ],
      ),
    );
    return reports.length === 0 ? undefined : reports;
  });
}

function nothingThere(field: string, region: string, known: readonly string[]): Report {
  return {
    code: 'NO_ENDPOINTS_IN_REGION',
    severity: 'warning',
    field,
    message: `no backend runs in region ${region}, so no request goes there; backends run in ${shortList(known, MAX_NAMED)}`,
  };
}
