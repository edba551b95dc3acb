/** Subsets that a policy sends requests to and that no workload of the Service belongs to: missing references. */
import {
  type ClusterObjectRef,
  isAmongValues,
  type KubeService,
  listValues,
  type Report,
  type SubsetValues,
  shortList,
  type TrafficPolicy,
} from '@meshrelay/api';
import type { Read } from '@meshrelay/plugin';
import { rolloutLabelsIn } from '@meshrelay/plugin/host';
import type { Labels } from '../../input/labels.ts';
import { clusterObjectKey } from '../../store/fleet-state.ts';
import { type Destinations, workloadLabelsOf } from '../inventory/mod.ts';
import { actsIn, clusterScopesOf, type ReferencingPolicy, sees } from '../workspaces/mod.ts';

/** Where subsets are looked up. */
export interface SubsetSources {
  readonly destinations: Destinations;
  /** Meshes whose proxies select pods only by the labels of Destinations. */
  readonly describedTypes: ReadonlySet<string>;
}

/**
 * Reports each missing subset. Only subsets that the policy may use are checked: a policy that may not send requests
 * somewhere must not learn labels there. If no workload of the Service is known, no subset counts as missing.
 */
export function missingSubsets(
  { ref, authority }: ReferencingPolicy,
  { spec }: TrafficPolicy,
  { destinations, describedTypes }: SubsetSources,
  read: Read,
): Report[] {
  const clusterScopes = clusterScopesOf([{ ref, authority }]);
  return (spec.policy?.trafficShift?.destinations ?? []).flatMap(({ kubeService }, position) => {
    const { subset = {} } = kubeService ?? {};
    if (kubeService === undefined || Object.keys(subset).length === 0) return [];
    const destination = read.get(destinations.known, clusterObjectKey(kubeService));
    if (destination === undefined || !sees(authority, destination)) return [];
    if (!actsIn(ref, kubeService.clusterName, clusterScopes)) return [];
    const field = `spec.policy.trafficShift.destinations[${position}].kubeService.subset`;
    const unknown = describedTypes.has(destination.mesh?.type ?? '') ? rolloutLabelsIn(subset) : [];
    if (unknown.length > 0) return [rolloutLabelReport(field, kubeService, unknown)];
    const workloadLabels = workloadLabelsOf(destination, destinations, read);
    const reporting = read.get(destinations.distinguishingLabels, destination.key) ?? {};
    if (workloadLabels.length === 0 || workloadLabels.some((labels) => mayBeIn(labels, subset, reporting))) return [];
    return [missingReport(field, kubeService, subset, valuesOf(Object.keys(subset), workloadLabels, reporting))];
  });
}

/** Pods of one workload differ in a label during a rollout: then the labels of all pods of the Service count. */
function mayBeIn(labels: Labels, subset: Labels, reporting: NonNullable<KubeService['subsets']>): boolean {
  return Object.entries(subset).every(([name, value]) =>
    Object.hasOwn(labels, name) ? labels[name] === value : isAmong(reporting, name, value),
  );
}

function isAmong(reporting: NonNullable<KubeService['subsets']>, name: string, value: string): boolean {
  return Object.hasOwn(reporting, name) && isAmongValues(value, reporting[name] as SubsetValues);
}

/** The existing values of each of these labels, sorted. */
function valuesOf(
  names: readonly string[],
  workloadLabels: readonly Labels[],
  reporting: NonNullable<KubeService['subsets']>,
): ReadonlyArray<readonly [name: string, values: readonly string[]]> {
  return names.toSorted().map((name) => {
    const own = workloadLabels.flatMap((labels) => (Object.hasOwn(labels, name) ? [labels[name] as string] : []));
    const others = Object.hasOwn(reporting, name) ? listValues(reporting[name] as SubsetValues) : [];
    return [name, [...new Set([...own, ...others])].sort()];
  });
}

/** At most this many values of a label are listed. */
const MAX_VALUES = 10;

function missingReport(
  field: string,
  { name, namespace, clusterName }: ClusterObjectRef,
  subset: Labels,
  there: ReturnType<typeof valuesOf>,
): Report {
  const required = Object.entries(subset)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([label, value]) => `${label}=${value}`)
    .join(',');
  const known = there.map(([label, values]) => `${label}: ${listed(values)}`).join('; ');
  return {
    code: 'MISSING_SUBSET',
    severity: 'error',
    field,
    message: `no workload behind Service ${namespace}/${name} of cluster ${clusterName} has the labels ${required} (found: ${known}); it takes effect when such a workload exists`,
    related: [{ kind: 'Destination', name, namespace, cluster: clusterName }],
  };
}

function rolloutLabelReport(
  field: string,
  { name, namespace, clusterName }: ClusterObjectRef,
  labels: readonly string[],
): Report {
  return {
    code: 'MISSING_SUBSET',
    severity: 'error',
    field,
    message: `proxies of the mesh of Service ${namespace}/${name} of cluster ${clusterName} do not see the labels ${labels.join(', ')} of its pods; use a label of the pod template that does not change on a rollout`,
    related: [{ kind: 'Destination', name, namespace, cluster: clusterName }],
  };
}

function listed(values: readonly string[]): string {
  return values.length === 0 ? 'no value' : shortList(values, MAX_VALUES);
}
