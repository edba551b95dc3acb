/** What policies are told of routes that cannot be written: whether nobody has them, or only the callers of some meshes. */
import type { PolicyRef } from '@meshrelay/api';
import type { Collection, Graph, Read } from '../graph/collection.ts';
import type { Key } from '../graph/key.ts';
import type { MeshFacts } from '../plugin/views/mod.ts';
import type { TellOf } from './destination-verdicts.ts';
import type { Federates } from './federating.ts';
import type { RouteProblem } from './goals.ts';
import type { Joined } from './joined.ts';
import { compareRefs } from './precedence.ts';
import type { RouteSets } from './route-sets.ts';
import type { Routes } from './routes.ts';
import { says, type Verdict, verdictKey } from './verdict.ts';

/** A destination, and the mesh that its routes are for. */
interface Place {
  readonly destination: Key;
  readonly consumer: MeshFacts;
}

/** Finds what there is to tell of routes. */
type TellOfRoutes = (routes: Routes, place: Place, read: Read) => readonly Verdict[];

/** Tells of the routes that a destination has in its own mesh. */
export function localRouteVerdicts(joined: Joined, routes: RouteSets, federates: Federates): TellOf {
  const tellOf = routeVerdicts(joined, routes, federates);
  return ({ key: destination, mesh }, read) => {
    const own = mesh === undefined ? undefined : read.get(routes.local, destination);
    return mesh === undefined || own === undefined ? NOTHING : tellOf(own, { destination, consumer: mesh }, read);
  };
}

/** What is told of the routes that destinations have in other meshes. */
export function remoteRouteVerdicts(
  graph: Graph,
  joined: Joined,
  routes: RouteSets,
  federates: Federates,
): Collection<Verdict> {
  const name = 'resolve/remote-route-verdicts';
  const tellOf = routeVerdicts(joined, routes, federates);
  return graph.deriveMany(name, routes.remote, (own, read, at): ReadonlyArray<readonly [Key, Verdict]> => {
    if (own.problems.length === 0) return NOTHING;
    const place = placeOf(at, joined, federates, read);
    const verdicts = place === undefined ? NOTHING : tellOf(own, place, read);
    return verdicts.filter(says).map((verdict, position) => [verdictKey(name, at, position), verdict]);
  });
}

/** Where a remote route is for; undefined where the meshes do not reach each other at all, so that nobody has it. */
function placeOf(
  at: Key,
  { federation, meshes, destinations }: Joined,
  federates: Federates,
  read: Read,
): Place | undefined {
  const one = read.get(federation.federated, at);
  const consumer = one === undefined ? undefined : read.get(meshes, one.consumer);
  const home = one === undefined ? undefined : read.get(destinations.known, one.destination)?.mesh;
  if (one === undefined || consumer === undefined || home === undefined) return undefined;
  return federates(consumer.type) && federates(home.type) ? { destination: one.destination, consumer } : undefined;
}

/** A policy that callers of another mesh do have is in force in part, and does not wait. */
function routeVerdicts(joined: Joined, { local, remote }: RouteSets, federates: Federates): TellOfRoutes {
  const isInForce = (policy: PolicyRef, destination: Key, read: Read): boolean =>
    names(read.get(local, destination), policy) ||
    read
      .by(joined.federation.byDestination, destination)
      .some(([at]) => placeOf(at, joined, federates, read) !== undefined && names(read.get(remote, at), policy));
  return ({ problems, withheld }, { destination, consumer }, read) => {
    if (problems.length === 0) return NOTHING;
    const target = { kind: 'Destination', key: destination } as const;
    return problems.flatMap((problem) =>
      problem.policies.map((policy): Verdict => {
        const {
          state,
          report,
          moot = false,
        } = isAmong(withheld, policy) && isInForce(policy, destination, read) ? inPart(problem, consumer) : problem;
        return { policy, state, reports: [report], target, moot };
      }),
    );
  };
}

function inPart(problem: RouteProblem, { cluster }: MeshFacts): RouteProblem {
  const message = `${problem.report.message}; until then nothing of the policy holds for callers of cluster ${cluster}`;
  return { ...problem, state: 'DEGRADED', report: { ...problem.report, severity: 'warning', message } };
}

/** Withheld policies are in no route. */
function names(routes: Routes | undefined, policy: PolicyRef): boolean {
  return routes?.routes.some(({ from }) => isAmong(from, policy)) === true;
}

function isAmong(policies: readonly PolicyRef[], policy: PolicyRef): boolean {
  return policies.some((one) => compareRefs(one, policy) === 0);
}

const NOTHING: readonly never[] = [];
