/** Services that some callers cannot see: the effect of policies for them, and of routes to them. */
import {
  type DestinationFacts,
  type MeshFacts,
  memoizeUntilCompaction,
  type Output,
  type PolicyRef,
  partsOf,
  type RouteTarget,
  type RouteView,
} from '@meshrelay/plugin';
import { namespacesSeeing } from '../visibility.ts';

const WHY = 'by its annotation networking.istio.io/exportTo, or by defaultServiceExportTo of the mesh configuration';

/** Reports to policies that no caller can see their Service, so they have no effect. */
export function reportInvisible(
  { namespace, name, cluster }: DestinationFacts,
  policies: readonly PolicyRef[],
  out: Output,
): void {
  const message = `no caller in cluster ${cluster} sees Service ${namespace}/${name}, ${WHY}, so its routes and connection settings have no effect; make it visible to its callers`;
  for (const policy of new Set(policies))
    out.report(policy, { code: 'UNSUPPORTED', severity: 'warning', field: 'spec.destinationSelector', message });
}

/**
 * Reports to policies that their routes send callers to Services which those callers cannot see.
 * @param callers their namespaces; undefined: all
 */
export function reportUnseenTargets(
  routes: readonly RouteView[],
  callers: readonly string[] | undefined,
  mesh: MeshFacts,
  out: Output,
): void {
  for (const { target, field, rejected, from, only } of targetsNearby(routes)) {
    const [cluster = '', namespace = '', name = ''] = partsOf(target.destination);
    const seeing = namespacesSeeing({
      namespace,
      mesh,
      ...(target.details === undefined ? {} : { details: target.details }),
    });
    const audience = only === undefined ? callers : [only].filter((name) => callers?.includes(name) ?? true);
    const unseeing = seeing === undefined ? [] : audience?.filter((caller) => !seeing.includes(caller));
    if (unseeing?.length === 0) continue;
    const whose = unseeing === undefined ? otherPlace(seeing ?? []) : `in ${unseeing.join(', ')}`;
    const message = `callers ${whose} do not see Service ${namespace}/${name} of cluster ${cluster}, ${WHY}: ${rejected}; make it visible to them`;
    for (const policy of from) out.report(policy, { code: 'DEGRADED', severity: 'warning', field, message });
  }
}

function otherPlace(seeing: readonly string[]): string {
  return seeing.length === 0 ? 'anywhere' : `outside of ${seeing.join(', ')}`;
}

interface TargetNearby {
  readonly target: Pick<RouteTarget, 'destination' | 'details'>;
  readonly field: string;
  /** The effect on requests of callers that cannot see it. */
  readonly rejected: string;
  readonly from: readonly PolicyRef[];
  /** The namespace of the callers that the route applies to; undefined: all. */
  readonly only: string | undefined;
}

/** Services in the callers' own cluster that routes lead to, except the Service of the routes. */
const targetsNearby = memoizeUntilCompaction((routes: readonly RouteView[]): readonly TargetNearby[] => {
  const found = routes.flatMap(({ match: { sourceNamespace: only }, actions: { shift, mirror } }) => [
    ...(shift?.value ?? []).map((target) => ({
      target,
      field: 'spec.policy.trafficShift.destinations',
      rejected: 'requests sent there get a 503',
      from: shift?.from ?? [],
      only,
    })),
    ...(mirror === undefined
      ? []
      : [
          {
            target: mirror.value.target,
            field: 'spec.policy.mirror',
            rejected: 'no copies are sent',
            from: mirror.from,
            only,
          },
        ]),
  ]);
  const nearby = found.filter(({ target: { remote, virtual } }) => !remote && virtual !== true);
  return [
    ...new Map(nearby.map((one) => [JSON.stringify([one.field, one.target.destination, one.only]), one])).values(),
  ];
});
