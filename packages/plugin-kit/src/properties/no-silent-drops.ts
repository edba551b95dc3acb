/** No policy is dropped silently: a policy without any effect has a report with the reason. */
import type { KubeObject } from '@meshrelay/api';
import { groupOf } from '@meshrelay/plugin';
import { MANAGEMENT_CLUSTER } from '@meshrelay/relay-core';
import { LiveFleet } from '../fleet/live-fleet.ts';
import { loaded } from '../tested-plugin.ts';
import { firstDifference, outputLines } from './outcome.ts';
import type { Property } from './property.ts';
import { changedWithout, reasonsIn, SAYS_VALUES } from './reasons.ts';
import { everyObject } from './repeatable.ts';

/** Each policy without reports has an effect on the output. */
export const reportsEveryDrop: Property = (tested, fleets) => {
  // If the plugin configures proxies itself, each configuration contains names and targets of all related destinations.
  const namesAll = tested.plugin.configuresProxies !== true;
  for (const { name, fleet } of fleets) {
    const live = new LiveFleet(loaded(tested));
    live.reportFleet(fleet);
    live.settle();
    const before = outputLines(live.plane);
    const known = reasonsIn(live.plane);
    for (const [cluster, policy] of everyObject(fleet).filter(isPolicy)) {
      if (isEmptyPolicy(policy) || wasReported(live, cluster, policy)) continue;
      const { namespace = '', name: policyName } = policy.metadata;
      const text = `${policy.kind} ${namespace}/${policyName}`;
      live.report(cluster, policy, 'gone');
      const unnamed = namesAll && SAYS_VALUES.has(policy.kind) ? changedWithout(known, live.plane, text) : undefined;
      if (unnamed !== undefined)
        throw new Error(
          `${name}: ${unnamed} is otherwise without ${text}, but does not name it in "sourcePolicies"; hand on "from" of all that is written`,
        );
      if (firstDifference(outputLines(live.plane), before) === undefined)
        throw new Error(
          `${name}: ${text} is ACCEPTED without a report, but has no effect; report what the mesh does not support`,
        );
      live.report(cluster, policy, 'there');
    }
  }
};

function isPolicy([, { apiVersion, kind }]: readonly [string, KubeObject]): boolean {
  return groupOf(apiVersion) === 'networking.meshrelay.dev' && kind !== 'VirtualMesh';
}

/** A TrafficPolicy whose rules are all empty: it requests no change. */
function isEmptyPolicy({ kind, spec }: KubeObject): boolean {
  return kind === 'TrafficPolicy' && isEmpty((spec as { readonly policy?: unknown } | undefined)?.policy);
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'object' && Object.values(value).every(isEmpty);
}

function wasReported({ plane }: LiveFleet, cluster: string, { kind, metadata }: KubeObject): boolean {
  const evaluated = [...plane.statuses.entries()]
    .map(([, one]) => one)
    .find(
      ({ ref }) =>
        ref.kind === kind &&
        ref.name === metadata.name &&
        ref.namespace === (metadata.namespace ?? '') &&
        ref.cluster === (cluster === MANAGEMENT_CLUSTER ? '' : cluster),
    );
  const { state, reports = [], targets = [] } = evaluated?.status ?? {};
  return state !== 'ACCEPTED' || reports.length > 0 || targets.some((target) => target.reports.length > 0);
}
