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
  const { traffic, access, isolation } = plans;
  // Their names order what one policy is told of one destination.
  const respects: Readonly<Record<string, TellOf>> = {
    'resolve/access-note-verdicts': accessNotes(graph, access, destinations),
    'resolve/access-verdicts': outcomesIn(access),
    'resolve/isolation-verdicts': outcomesIn(isolation),
    'resolve/local-route-verdicts': localRouteVerdicts(joined, plans, routes, federates),
    'resolve/outside-mesh-verdicts': outsideMeshNotes(policies),
    'resolve/traffic-verdicts': outcomesIn(traffic),
    'resolve/unheard-verdicts': callerNotes(joined, traffic, federates),
  };
  const all = Object.entries(respects);
  return graph.deriveMany('resolve/destination-verdicts', destinations.known, (destination, read, id) => {
    const telling: Array<readonly [Key, Verdict]> = [];
    for (const [name, tellOf] of all) {
      let position = 0;
      for (const verdict of tellOf(destination, read))
        if (says(verdict)) telling.push([verdictKey(name, id, position++), verdict]);
    }
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
