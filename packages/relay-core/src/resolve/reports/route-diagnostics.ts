/** Reports to policies about routes that cannot be generated, for all callers or only for callers of some meshes. */
import type { PolicyRef } from '@meshrelay/api';
import type { Collection, Key, MeshFacts, Read } from '@meshrelay/plugin';
import type { Graph } from '../../graph/collection.ts';
import { compareRefs } from '../../store/precedence.ts';
import { type Diagnostic, diagnosticKey, says } from '../diagnostic.ts';
import { EMPTY_PLAN, type Plans, type RouteSets } from '../plans/mod.ts';
import type { ResolveContext } from '../resolve-context.ts';
import type { RouteProblem, Routes } from '../routes/mod.ts';
import { type Fields, type TrafficPlan, visibleFields } from '../traffic/mod.ts';
import type { Federates } from '../virtual-meshes/mod.ts';
import type { DiagnoseDestination } from './diagnose-destination.ts';

/** A destination, and the mesh that its routes are for. */
interface RouteLocation {
  readonly destination: Key;
  readonly consumer: MeshFacts;
}

/** Finds the diagnostics of routes. */
type DiagnoseRoutes = (routes: Routes, place: RouteLocation, read: Read) => readonly Diagnostic[];

/** Reports on the routes of a destination in its own mesh. */
export function localRouteDiagnostics(
  resolveContext: ResolveContext,
  { traffic, ofTargets }: Pick<Plans, 'traffic' | 'ofTargets'>,
  routes: RouteSets,
  federates: Federates,
): DiagnoseDestination {
  const diagnose = routeDiagnostics(resolveContext, traffic, routes, federates);
  return ({ key: destination, mesh }, read) => {
    const own = read.get(routes.local, destination);
    const consumer = own === undefined ? undefined : (mesh ?? read.get(ofTargets, destination)?.mesh);
    return consumer === undefined || own === undefined ? NOTHING : diagnose(own, { destination, consumer }, read);
  };
}

/** Reports on the routes of destinations in other meshes. */
export function remoteRouteDiagnostics(
  graph: Graph,
  resolveContext: ResolveContext,
  { traffic }: Pick<Plans, 'traffic'>,
  routes: RouteSets,
  federates: Federates,
): Collection<Diagnostic> {
  const diagnose = routeDiagnostics(resolveContext, traffic, routes, federates);
  return graph.deriveMany(
    'resolve/remote-route-diagnostics',
    routes.remote,
    (own, read, at): ReadonlyArray<readonly [Key, Diagnostic]> => {
      if (own.problems.length === 0) return NOTHING;
      const place = locationOf(at, resolveContext, federates, read);
      const diagnostics = place === undefined ? NOTHING : diagnose(own, place, read);
      return diagnostics.filter(says).map((diagnostic, position) => [diagnosticKey(at, position), diagnostic]);
    },
  );
}

/**
 * The mesh that a remote route is for; undefined if the meshes do not reach each other, so that no caller has the
 * route.
 */
function locationOf(
  at: Key,
  { federation, meshes, destinations }: ResolveContext,
  federates: Federates,
  read: Read,
): RouteLocation | undefined {
  const one = read.get(federation.federated, at);
  const consumer = one === undefined ? undefined : read.get(meshes, one.consumer);
  const home = one === undefined ? undefined : read.get(destinations.known, one.destination)?.mesh;
  if (one === undefined || consumer === undefined || home === undefined) return undefined;
  return federates(consumer.type) && federates(home.type) ? { destination: one.destination, consumer } : undefined;
}

/**
 * A policy is partly applied, not pending, if it has any effect on callers of another mesh, including settings of their
 * connections.
 */
function routeDiagnostics(
  resolveContext: ResolveContext,
  traffic: Plans['traffic'],
  { local, remote }: RouteSets,
  federates: Federates,
): DiagnoseRoutes {
  const isEffective = (policy: PolicyRef, destination: Key, read: Read): boolean => {
    const plan = read.get(traffic, destination) ?? EMPTY_PLAN;
    const home = read.get(resolveContext.destinations.known, destination)?.mesh;
    return (
      holdsFor(home, read.get(local, destination), plan, policy) ||
      read
        .by(resolveContext.federation.byDestination, destination)
        .some(([at]) =>
          holdsFor(locationOf(at, resolveContext, federates, read)?.consumer, read.get(remote, at), plan, policy),
        )
    );
  };
  return ({ problems, notApplied }, { destination, consumer }, read) => {
    if (problems.length === 0) return NOTHING;
    const target = { kind: 'Destination', key: destination } as const;
    return problems.flatMap((problem) =>
      problem.policies.map((policy): Diagnostic => {
        const {
          state,
          report,
          infoUnlessNamed = false,
        } = isAmong(notApplied, policy) && isEffective(policy, destination, read) ? inPart(problem, consumer) : problem;
        return { policy, state, reports: [report], target, infoUnlessNamed };
      }),
    );
  };
}

function inPart(problem: RouteProblem, { cluster }: MeshFacts): RouteProblem {
  const message = `${problem.report.message}; until then the policy does not apply to callers in cluster ${cluster}`;
  return { ...problem, state: 'DEGRADED', report: { ...problem.report, severity: 'warning', message } };
}

/**
 * Whether a policy affects a route, or the connection settings, for callers of a mesh. Policies that are not applied
 * affect neither.
 */
function holdsFor(
  consumer: MeshFacts | undefined,
  routes: Routes | undefined,
  { connection, clusterScopes }: TrafficPlan,
  policy: PolicyRef,
): boolean {
  if (consumer === undefined || routes === undefined || isAmong(routes.notApplied, policy)) return false;
  return (
    routes.routes.some(({ from }) => isAmong(from, policy)) ||
    fieldsFrom(visibleFields(connection, consumer.cluster, clusterScopes), policy)
  );
}

function fieldsFrom(fields: Fields, policy: PolicyRef): boolean {
  return Object.values(fields).some(({ from }) => isAmong(from, policy));
}

function isAmong(policies: readonly PolicyRef[], policy: PolicyRef): boolean {
  return policies.some((one) => compareRefs(one, policy) === 0);
}

const NOTHING: readonly never[] = [];
