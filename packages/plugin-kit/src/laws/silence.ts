/** Nothing is dropped in silence: a policy without which nothing would be different has been told why. */
import type { KubeObject } from '@meshrelay/api';
import { canonicalJson, groupOf, MANAGEMENT_CLUSTER } from '@meshrelay/relay-core';
import { LiveFleet } from '../fleet/live-fleet.ts';
import { loaded } from '../tested-plugin.ts';
import type { Law } from './law.ts';
import { firstDifference, outputLines } from './outcome.ts';
import { everyObject } from './repeatable.ts';

/** Each policy that is told nothing makes a difference to what is written. */
export const nothingInSilence: Law = (tested, worlds) => {
  // Where proxies are described wholly, names and goals of all that they have to do with are in each description.
  const namesAll = tested.plugin.describesAll !== true;
  for (const { name, fleet } of worlds) {
    const live = new LiveFleet(loaded(tested));
    for (const [cluster, object] of everyObject(fleet)) live.tell(cluster, object, 'there');
    live.settle();
    const before = outputLines(live.plane);
    for (const [cluster, policy] of everyObject(fleet).filter(isPolicy)) {
      if (asksNothing(policy) || wasTold(live, cluster, policy)) continue;
      const known = reasonsIn(live);
      live.tell(cluster, policy, 'gone');
      const { namespace = '', name: policyName } = policy.metadata;
      const text = `${policy.kind} ${namespace}/${policyName}`;
      const unnamed =
        namesAll && SAYS_VALUES.has(policy.kind) ? changedWithout(known, reasonsIn(live), text) : undefined;
      if (unnamed !== undefined)
        throw new Error(
          `${name}: ${unnamed} is otherwise without ${text}, but does not name it in "because"; hand on "from" of all that is written`,
        );
      if (firstDifference(outputLines(live.plane), before) === undefined) {
        throw new Error(
          `${name}: ${text} is ACCEPTED and told nothing, but nothing would be different without it; report what the mesh does not do`,
        );
      }
      live.tell(cluster, policy, 'there');
    }
  }
};

/** Kinds whose values stand in views with where they come from; of others only names and goals follow. */
const SAYS_VALUES: ReadonlySet<string> = new Set(['TrafficPolicy', 'AccessPolicy']);

interface Reasoned {
  readonly object: string;
  readonly because: readonly string[];
}

/** What is written, without marks, and the policies that it names. */
function reasonsIn({ plane }: LiveFleet): ReadonlyMap<string, Reasoned> {
  return new Map(
    [...plane.desired.entries()].map(([at, { object, because }]) => {
      const { metadata: _metadata, ...body } = object;
      return [
        at,
        { object: canonicalJson(body), because: because.map((one) => `${one.kind} ${one.namespace}/${one.name}`) },
      ];
    }),
  );
}

/** An object that a policy has a part in and does not name; one that comes or goes with it is another matter. */
function changedWithout(
  before: ReadonlyMap<string, Reasoned>,
  after: ReadonlyMap<string, Reasoned>,
  policy: string,
): string | undefined {
  for (const [at, { object, because }] of before) {
    const other = after.get(at);
    if (other !== undefined && other.object !== object && !because.includes(policy)) return at;
  }
  return undefined;
}

function isPolicy([, { apiVersion, kind }]: readonly [string, KubeObject]): boolean {
  return groupOf(apiVersion) === 'networking.meshrelay.dev' && kind !== 'VirtualMesh';
}

/** A TrafficPolicy whose rules are there and all empty: nothing different is what it asks for. */
function asksNothing({ kind, spec }: KubeObject): boolean {
  return kind === 'TrafficPolicy' && isEmpty((spec as { readonly policy?: unknown } | undefined)?.policy);
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'object' && Object.values(value).every(isEmpty);
}

function wasTold({ plane }: LiveFleet, cluster: string, { kind, metadata }: KubeObject): boolean {
  const judged = [...plane.statuses.entries()]
    .map(([, one]) => one)
    .find(
      ({ ref }) =>
        ref.kind === kind &&
        ref.name === metadata.name &&
        ref.namespace === (metadata.namespace ?? '') &&
        ref.cluster === (cluster === MANAGEMENT_CLUSTER ? '' : cluster),
    );
  const { state, reports = [], targets = [] } = judged?.status ?? {};
  return state !== 'ACCEPTED' || reports.length > 0 || targets.some((target) => target.reports.length > 0);
}
