/** Policies for callers of clusters from which nobody calls: they wait for callers, and are told so. */
import type { PolicyRef, Report } from '@meshrelay/api';
import type { Collection, Read } from '../graph/collection.ts';
import type { Key } from '../graph/key.ts';
import type { Sourced } from '../plugin/views/mod.ts';
import { policyKey } from '../store/world.ts';
import type { TellOf } from './destination-verdicts.ts';
import type { KnownDestination } from './destinations.ts';
import type { Federates } from './federating.ts';
import type { Joined } from './joined.ts';
import { EMPTY_PLAN } from './plans.ts';
import type { TrafficPlan } from './traffic-plan.ts';
import type { Verdict } from './verdict.ts';

/** Tells each policy of the destinations that no cluster of its source selector knows. */
export function callerNotes(
  { meshes, federation }: Joined,
  traffic: Collection<TrafficPlan>,
  federates: Federates,
): TellOf {
  const consumersOf = (read: Read, { key: id, mesh }: KnownDestination): readonly string[] => {
    if (mesh === undefined || !federates(mesh.type)) return [];
    return read.by(federation.byDestination, id).flatMap(([, { consumer }]) => {
      const facts = read.get(meshes, consumer);
      return facts !== undefined && federates(facts.type) ? [facts.cluster] : [];
    });
  };
  return (destination, read) => {
    const { routes } = read.get(traffic, destination.key) ?? EMPTY_PLAN;
    if (destination.mesh === undefined || routes.every(({ source }) => source.cluster === undefined)) return [];
    const callers = new Set([destination.cluster, ...consumersOf(read, destination)]);
    const canFederate = federates(destination.mesh.type);
    const target = { kind: 'Destination', key: destination.key } as const;
    return policiesForNobody(routes, callers).map(({ ref, clusters }): Verdict => {
      const reports = [noCallers(destination, clusters, canFederate)];
      return { policy: ref, target, state: 'ACCEPTED', reports, moot: true };
    });
  };
}

interface ForNobody {
  readonly ref: PolicyRef;
  /** Those it is for, sorted. */
  readonly clusters: readonly string[];
}

/** Policies all of whose routes are for callers of clusters that are not among these. */
function policiesForNobody(routes: TrafficPlan['routes'], callers: ReadonlySet<string>): readonly ForNobody[] {
  const found = new Map<Key, { readonly ref: PolicyRef; readonly clusters: Set<string>; heard: boolean }>();
  for (const { source, fields } of routes) {
    for (const { from } of Object.values(fields as Record<string, Sourced<unknown>>)) {
      for (const ref of from) {
        const one = found.get(policyKey(ref)) ?? { ref, clusters: new Set<string>(), heard: false };
        found.set(policyKey(ref), one);
        if (source.cluster === undefined || callers.has(source.cluster)) one.heard = true;
        else one.clusters.add(source.cluster);
      }
    }
  }
  return [...found.values()]
    .filter(({ heard }) => !heard)
    .map(({ ref, clusters }) => ({ ref, clusters: [...clusters].sort() }));
}

function noCallers(
  { namespace, name, cluster }: KnownDestination,
  clusters: readonly string[],
  canFederate: boolean,
): Report {
  const how = `${canFederate ? 'federate it, or ' : ''}select callers of its own cluster`;
  return {
    code: 'NO_CALLERS',
    severity: 'warning',
    field: 'spec.sourceSelector',
    message: `no mesh of ${clusters.join(', ')} knows Service ${namespace}/${name} of cluster ${cluster}, so nobody calls it from there; ${how}`,
  };
}
