/**
 * Policies for callers of clusters without such callers, or in which the policies do not act. They change nothing and
 * get a report.
 */
import type { PolicyRef, Report } from '@meshrelay/api';
import type { Collection, Key, Read, Sourced } from '@meshrelay/plugin';
import { policyKey } from '../../store/fleet-state.ts';
import { compareRefs } from '../../store/precedence.ts';
import type { Diagnostic } from '../diagnostic.ts';
import type { KnownDestination } from '../inventory/mod.ts';
import { EMPTY_PLAN } from '../plans/mod.ts';
import type { ResolveContext } from '../resolve-context.ts';
import type { Fields, TrafficPlan } from '../traffic/mod.ts';
import type { Federates } from '../virtual-meshes/mod.ts';
import { actsIn, type ClusterScope } from '../workspaces/mod.ts';
import type { DiagnoseDestination } from './diagnose-destination.ts';

/** Reports to each policy the destinations on which none of its callers exist. */
export function callerNotes(
  { meshes, federation }: ResolveContext,
  traffic: Collection<TrafficPlan>,
  federates: Federates,
): DiagnoseDestination {
  const consumersOf = (read: Read, { key: id, mesh }: KnownDestination): readonly string[] => {
    if (mesh === undefined || !federates(mesh.type)) return [];
    return read.by(federation.byDestination, id).flatMap(([, { consumer }]) => {
      const facts = read.get(meshes, consumer);
      return facts !== undefined && federates(facts.type) ? [facts.cluster] : [];
    });
  };
  return (destination, read) => {
    const plan = read.get(traffic, destination.key) ?? EMPTY_PLAN;
    if (destination.mesh === undefined || isForEveryCaller(plan)) return [];
    const callers = new Set([destination.cluster, ...consumersOf(read, destination)]);
    const canFederate = federates(destination.mesh.type);
    const target = { kind: 'Destination', key: destination.key } as const;
    return policiesWithoutWorkloads(plan, callers).map(({ ref, clusters }): Diagnostic => {
      const known = clusters.filter((cluster) => callers.has(cluster));
      const reports = [known.length > 0 ? notGranted(ref, known) : noCallers(destination, clusters, canFederate)];
      return { policy: ref, target, state: 'ACCEPTED', reports, infoUnlessNamed: true };
    });
  };
}

/** Whether no part of the plan is limited to callers of some clusters. */
function isForEveryCaller({ routes, clusterScopes }: TrafficPlan): boolean {
  return clusterScopes.length === 0 && routes.every(({ source }) => source.cluster === undefined);
}

interface WithoutWorkloads {
  readonly ref: PolicyRef;
  /** The clusters that the policy is for, sorted. */
  readonly clusters: readonly string[];
}

/**
 * Policies that change nothing for callers of any of these clusters: all of their routes are for others, or they do not
 * act there.
 */
function policiesWithoutWorkloads(
  { routes, connection, clusterScopes }: TrafficPlan,
  callers: ReadonlySet<string>,
): readonly WithoutWorkloads[] {
  const found = new Map<Key, { readonly ref: PolicyRef; readonly clusters: Set<string>; heard: boolean }>();
  const read = (fields: Fields, only: string | undefined): void => {
    for (const { from } of Object.values(fields as Record<string, Sourced<unknown>>)) {
      for (const ref of from) {
        const one = found.get(policyKey(ref)) ?? { ref, clusters: new Set<string>(), heard: false };
        found.set(policyKey(ref), one);
        const meant = only === undefined ? [...callers] : callers.has(only) ? [only] : [];
        if (meant.some((cluster) => actsIn(ref, cluster, clusterScopes))) one.heard = true;
        else for (const cluster of only === undefined ? homeOf(ref, clusterScopes) : [only]) one.clusters.add(cluster);
      }
    }
  };
  for (const { source, fields } of routes) read(fields, source.cluster);
  read(connection, undefined);
  return [...found.values()]
    .filter(({ heard }) => !heard)
    .map(({ ref, clusters }) => ({ ref, clusters: [...clusters].sort() }));
}

/** The clusters of a policy that does not act everywhere. */
function homeOf(ref: PolicyRef, clusterScopes: readonly ClusterScope[]): readonly string[] {
  return clusterScopes.find(({ policy }) => compareRefs(policy, ref) === 0)?.clusters ?? [ref.cluster];
}

function notGranted(ref: PolicyRef, clusters: readonly string[]): Report {
  const whose = ref.cluster === '' ? 'this policy' : `a policy of cluster ${ref.cluster}`;
  return {
    code: 'REF_NOT_PERMITTED',
    severity: 'warning',
    field: 'spec.sourceSelector',
    message: `${whose} does not apply to callers in ${clusters.join(', ')}, because a policy of a workload cluster applies to its own callers only; move it to the management cluster, or select callers of its own cluster`,
  };
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
    message: `no mesh of ${clusters.join(', ')} knows Service ${namespace}/${name} of cluster ${cluster}, so it has no callers there; ${how}`,
  };
}
