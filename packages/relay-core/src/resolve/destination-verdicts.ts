/** All that is told of destinations by themselves, whoever reaches them: one look at each of them. */
import type { Collection, Graph, Read } from '../graph/collection.ts';
import { accessNotes } from './access-notes.ts';
import { callerNotes } from './callers.ts';
import type { KnownDestination } from './destinations.ts';
import type { Federates } from './federating.ts';
import type { Joined } from './joined.ts';
import { outsideMeshNotes } from './outside-mesh.ts';
import type { Plans } from './plans.ts';
import { problemsOf, type RouteSets } from './route-sets.ts';
import type { Outcome } from './traffic-plan.ts';
import { says, type Verdict, verdictKey } from './verdict.ts';

/** Finds what there is to tell of a destination in one respect. */
export type TellOf = (destination: KnownDestination, read: Read) => readonly Verdict[];

export function destinationVerdicts(
  graph: Graph,
  joined: Joined,
  { traffic, access, isolation }: Plans,
  { local }: RouteSets,
  federates: Federates,
): Collection<Verdict> {
  const { policies, destinations } = joined;
  // Their names order what one policy is told of one destination.
  const respects: Readonly<Record<string, TellOf>> = {
    'resolve/access-note-verdicts': accessNotes(graph, access, destinations),
    'resolve/access-verdicts': outcomesIn(access),
    'resolve/isolation-verdicts': outcomesIn(isolation),
    'resolve/local-route-verdicts': (destination, read) =>
      problemsOf(read.get(local, destination.key)?.problems ?? [], destination.key),
    'resolve/outside-mesh-verdicts': outsideMeshNotes(policies),
    'resolve/traffic-verdicts': outcomesIn(traffic),
    'resolve/unheard-verdicts': callerNotes(joined, traffic, federates),
  };
  const all = Object.entries(respects);
  return graph.deriveMany('resolve/destination-verdicts', destinations.known, (destination, read, id) =>
    all.flatMap(([name, tellOf]) =>
      tellOf(destination, read)
        .filter(says)
        .map((verdict, position) => [verdictKey(name, id, position), verdict] as const),
    ),
  );
}

/** What became of policies; nearly all are accepted without a word. */
function outcomesIn(plans: Collection<{ readonly outcomes: readonly Outcome[] }>): TellOf {
  return ({ key: id }, read) => {
    const outcomes = read.get(plans, id)?.outcomes.filter(says) ?? [];
    return outcomes.map((outcome) => ({ ...outcome, target: { kind: 'Destination', key: id } }));
  };
}
