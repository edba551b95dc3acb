/** All that is told of destinations by themselves, whoever reaches them: one look at each of them. */
import type { Collection, Graph, Read } from '../graph/collection.ts';
import type { Key } from '../graph/key.ts';
import { accessNotes } from './access-notes.ts';
import { callerNotes } from './callers.ts';
import type { KnownDestination } from './destinations.ts';
import type { Federates } from './federating.ts';
import type { Joined } from './joined.ts';
import { outsideMeshNotes } from './outside-mesh.ts';
import type { Plans } from './plans.ts';
import type { RouteSets } from './route-sets.ts';
import { localRouteVerdicts } from './route-verdicts.ts';
import type { Outcome } from './traffic-plan.ts';
import { says, type Verdict, verdictKey } from './verdict.ts';

/** Finds what there is to tell of a destination in one respect. */
export type TellOf = (destination: KnownDestination, read: Read) => readonly Verdict[];

export function destinationVerdicts(
  graph: Graph,
  joined: Joined,
  plans: Plans,
  routes: RouteSets,
  federates: Federates,
): Collection<Verdict> {
  const { policies, destinations } = joined;
  const { traffic, access, isolation, ofTargets } = plans;
  // What one policy is told of one destination comes in this order.
  const respects: readonly TellOf[] = [
    accessNotes(graph, access, destinations),
    outcomesIn(access),
    outcomesIn(isolation),
    localRouteVerdicts(joined, plans, routes, federates),
    outsideMeshNotes(policies, ofTargets),
    outcomesIn(traffic),
    callerNotes(joined, traffic, federates),
  ];
  return graph.deriveMany('resolve/destination-verdicts', destinations.known, (destination, read, id) => {
    const telling: Array<readonly [Key, Verdict]> = [];
    for (const tellOf of respects)
      for (const verdict of tellOf(destination, read))
        if (says(verdict)) telling.push([verdictKey(id, telling.length), verdict]);
    return telling;
  });
}

const NOTHING: readonly never[] = [];

/** What became of policies; nearly all are accepted without a word. */
function outcomesIn(plans: Collection<{ readonly outcomes: readonly Outcome[] }>): TellOf {
  return ({ key: id }, read) => {
    const outcomes = read.get(plans, id)?.outcomes ?? NOTHING;
    if (!outcomes.some(says)) return NOTHING;
    return outcomes.map((outcome) => ({ ...outcome, target: { kind: 'Destination', key: id } }));
  };
}
