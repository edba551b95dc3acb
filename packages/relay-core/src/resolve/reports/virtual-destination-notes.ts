/** Diagnostics of virtual destinations, on their backend Services and on the meshes that use them. */
import type { PolicyRef, PolicyState, Report } from '@meshrelay/api';
import { type Collection, type Key, type MeshFacts, partsOf, type Read } from '@meshrelay/plugin';
import type { Graph } from '../../graph/collection.ts';
import type { RejectionOf } from '../access/mod.ts';
import { collectDiagnostics, type Diagnostic } from '../diagnostic.ts';
import type { ResolveContext } from '../resolve-context.ts';
import { isReachable, type VirtualConsumer, type VirtualMember } from '../virtual-destinations/mod.ts';
import type { Federates } from '../virtual-meshes/mod.ts';

export function virtualNotes(
  graph: Graph,
  resolveContext: ResolveContext,
  federates: Federates,
  rejectionOf: RejectionOf,
): readonly Collection<Diagnostic>[] {
  const { plans, consumers } = resolveContext.virtualDestinations;
  const notes = graph.derive('resolve/virtual-consumer-notes', consumers.all, (one, read) =>
    consumerNote(one, read, resolveContext, federates, rejectionOf),
  );
  return [
    closedDoors(graph, resolveContext, federates),
    collectDiagnostics(
      graph,
      'resolve/virtual-consumer-diagnostics',
      notes,
      ({ ref, consumer, state, reports }): Diagnostic[] => [
        { policy: ref, target: { kind: 'Mesh', key: consumer }, state, reports },
      ],
    ),
    collectDiagnostics(graph, 'resolve/virtual-problems', plans, ({ ref, problems }): Diagnostic[] =>
      problems.map(({ report, ...problem }) => ({ ...problem, policy: ref, reports: [report] })),
    ),
  ];
}

interface ConsumerNote {
  readonly ref: PolicyRef;
  readonly consumer: Key;
  readonly state: PolicyState;
  readonly reports: readonly Report[];
}

/**
 * A mesh in which the name belongs to another object, which reaches no backend, or whose proxies cannot resolve the
 * name.
 */
function consumerNote(
  { virtualDestination, consumer, hostname, rejection, sameName }: VirtualConsumer,
  read: Read,
  resolveContext: ResolveContext,
  federates: Federates,
  rejectionOf: RejectionOf,
): ConsumerNote | undefined {
  const plan = read.get(resolveContext.virtualDestinations.plans, virtualDestination);
  const mesh = read.get(resolveContext.meshes, consumer);
  if (plan === undefined || mesh === undefined) return undefined;
  const note = (state: PolicyState, ...reports: readonly Report[]): ConsumerNote => ({
    ref: plan.ref,
    consumer,
    state,
    reports,
  });
  if (rejection !== undefined) return note(rejection.state, rejection.report);
  if (plan.members.length === 0) return undefined;
  if (!plan.members.some((member) => isReachable(member, virtualDestination, mesh, read, resolveContext)))
    return note('PENDING', nothingReached(hostname, mesh));
  const resolved = sameName !== undefined || mesh.capturesDns || !federates(mesh.type);
  const unresolved = resolved ? [] : [nameNotResolved(hostname, mesh)];
  const refused = plan.members.flatMap((member) => refusedBy(member, mesh, read, resolveContext, rejectionOf) ?? []);
  if (refused.length > 0) return note('DEGRADED', ...refused, ...unresolved);
  return unresolved.length === 0 ? undefined : note('ACCEPTED', ...unresolved);
}

/** A Service of another cluster whose mesh rejects the callers of this mesh by their trust domain. */
function refusedBy(
  { destination, home, cluster }: VirtualMember,
  consumer: MeshFacts,
  read: Read,
  { meshes }: ResolveContext,
  rejectionOf: RejectionOf,
): Report | undefined {
  const mesh = cluster === consumer.cluster ? undefined : read.get(meshes, home);
  const rejection = mesh === undefined ? undefined : rejectionOf(read, mesh, consumer);
  if (rejection === undefined) return undefined;
  const [, namespace = '', name = ''] = partsOf(destination);
  return {
    code: 'TRUST_DOMAIN_NOT_ACCEPTED',
    severity: 'warning',
    field: 'spec',
    message: `requests of callers in cluster ${consumer.cluster} to Service ${namespace}/${name} of cluster ${cluster} are rejected: ${rejection}`,
    related: [{ kind: 'Destination', name, namespace, cluster }],
  };
}

/** Backends in meshes that admit no requests from other clusters, although some meshes there can use the name. */
function closedDoors(
  graph: Graph,
  { virtualDestinations: { plans }, endpoints: { kindsOfGateways }, federation, meshes }: ResolveContext,
  federates: Federates,
): Collection<Diagnostic> {
  const isOpen = (read: Read, destination: Key, home: Key): boolean =>
    (read.get(kindsOfGateways, home) ?? []).length > 0 || read.get(federation.exported, destination)?.direct === true;
  const closed = graph.derive('resolve/virtual-unreachable', plans, (plan, read) => {
    const doors = plan.members
      .filter(({ gatewayRoute, home, destination }) => gatewayRoute && !isOpen(read, destination, home))
      .map(({ destination, home }) => ({
        destination,
        report: notReached(destination, home, read.get(meshes, home), federates),
      }));
    return doors.length === 0 ? undefined : { ref: plan.ref, doors };
  });
  return collectDiagnostics(graph, 'resolve/virtual-unreachable-diagnostics', closed, ({ ref, doors }): Diagnostic[] =>
    doors.map(({ destination, report }) => ({
      policy: ref,
      target: { kind: 'Destination', key: destination },
      state: 'DEGRADED',
      reports: [report],
    })),
  );
}

function notReached(destination: Key, home: Key, mesh: MeshFacts | undefined, federates: Federates): Report {
  const [cluster = '', namespace = '', name = ''] = partsOf(destination);
  const why =
    mesh !== undefined && !federates(mesh.type)
      ? `meshes of type ${mesh.type} accept no requests from other clusters`
      : `the mesh ${partsOf(home).slice(1).join('/')} there has no gateway with an address; see the status of the VirtualMesh`;
  return {
    code: 'NO_GATEWAY',
    severity: 'warning',
    field: 'spec',
    message: `callers in other clusters cannot reach Service ${namespace}/${name} of cluster ${cluster}: ${why}`,
  };
}

function nothingReached(hostname: string, { cluster }: MeshFacts): Report {
  return {
    code: 'NO_REACHABLE_ENDPOINTS',
    severity: 'error',
    field: 'spec',
    message: `cluster ${cluster} can reach no backend of ${hostname}; see the reports on the Services and their meshes`,
  };
}

function nameNotResolved(hostname: string, { namespace, name, cluster }: MeshFacts): Report {
  return {
    code: 'NAMES_NOT_RESOLVED',
    severity: 'info',
    field: 'spec.hostname',
    message: `proxies of mesh ${namespace}/${name} of cluster ${cluster} do not answer DNS queries, so ${hostname} needs another DNS server; enable DNS capture in its configuration`,
  };
}
