/** Policies on their way into force: checked by themselves, ordered, matched with the destinations they select. */
import type {
  AccessPolicy,
  ClusterObjectRef,
  DestinationSelector,
  Policy,
  PolicyRef,
  Report,
  TrafficPolicy,
} from '@meshrelay/api';
import type { Collection, Graph, Group } from '../graph/collection.ts';
import type { Key } from '../graph/key.ts';
import { sameList } from '../plugin/same-list.ts';
import { clusterObjectKey, type World } from '../store/world.ts';
import type { Destinations } from './destinations.ts';
import { inForce, isAbout } from './last-good.ts';
import { comparePrecedence, type Precedence } from './precedence.ts';
import { realmBucket, selectorBuckets, selects, selectsEverything } from './selectors.ts';
import { distinctPolicies, type ToldPolicy, toldPolicies } from './told-policies.ts';

/** A policy as it is in force: it breaks no rule about its values, or is what was accepted last of one that does. */
export interface CheckedPolicy<P extends Policy = Policy> extends Precedence {
  readonly key: Key;
  readonly object: P;
}

/** A policy that selects destinations. */
export type TargetedPolicy = CheckedPolicy<TrafficPolicy | AccessPolicy>;

/** A policy on one destination, of those it selects. */
export interface Application {
  readonly destination: Key;
  readonly policy: TargetedPolicy;
}

export interface Policies {
  /** Every policy there is, in each place that tells of it. Under the policies' keys, as all below. */
  readonly told: Collection<ToldPolicy>;
  /** Every policy once. */
  readonly distinct: Collection<ToldPolicy>;
  readonly checked: Collection<CheckedPolicy>;
  /** Destinations that a policy names and nobody has, or that are not for it to name, for those where there are some. */
  readonly missing: Collection<readonly Report[]>;
  /** Each policy on each destination, under `key(policyKey, destinationKey)`; without those for everything. */
  readonly applications: Collection<Application>;
  /** By destination, in order of precedence. */
  readonly trafficPolicies: Collection<Group<CheckedPolicy<TrafficPolicy>>>;
  readonly accessPolicies: Collection<Group<CheckedPolicy<AccessPolicy>>>;
}

export function resolvePolicies(graph: Graph, world: World, destinations: Destinations): Policies {
  const told = toldPolicies(graph, world);
  const distinct = distinctPolicies(graph, told);
  const checked = graph.derive('resolve/checked', distinct, (policy, read, policyKey): CheckedPolicy | undefined => {
    const known = read.get(world.ledgerPolicies, policyKey);
    const decision = known !== undefined && isAbout(known, policy) ? known : undefined;
    const object = inForce(policy, decision);
    if (object === undefined) return undefined;
    return { key: policyKey, ref: policy.ref, object, sequence: decision?.sequence ?? Number.POSITIVE_INFINITY };
  });
  const missing = graph.derive('resolve/missing', checked, ({ ref, object }, read) => {
    const reports = [
      ...referencesOf(object).flatMap(({ field, service }) =>
        read.has(destinations.known, clusterObjectKey(service)) ? [] : [missingReport(field, service)],
      ),
      ...beyondAuthority(ref, object),
    ];
    return reports.length === 0 ? undefined : reports;
  });
  const targeted = graph.derive('resolve/targeted', checked, (policy) =>
    policy.object.kind === 'VirtualMesh' ? undefined : (policy as TargetedPolicy),
  );
  const pairs = graph.match('resolve/targets', targeted, destinations.byBucket, {
    wants: (policy) => (isForEverything(policy.object) ? [] : selectorBuckets(policy.object.spec.destinationSelector)),
    matches: ({ ref, object }, destination) =>
      mayReach(ref, destination.cluster) && selects(object.spec.destinationSelector, destination),
  });
  const applications = graph.derive('resolve/applications', pairs, (pair, read) => {
    const policy = read.get(targeted, pair.left);
    return policy === undefined ? undefined : { destination: pair.right, policy };
  });
  return {
    told,
    distinct,
    checked,
    missing,
    applications,
    trafficPolicies: ofDestination<TrafficPolicy>(graph, destinations, { targeted, applications }, 'TrafficPolicy'),
    accessPolicies: ofDestination<AccessPolicy>(graph, destinations, { targeted, applications }, 'AccessPolicy'),
  };
}

/** True for a policy that selects whatever it may reach. Such are told of once for all destinations, not once for each. */
export function isForEverything(policy: Policy): boolean {
  return policy.kind !== 'VirtualMesh' && selectsEverything(policy.spec.destinationSelector);
}

/** Policies of one kind by the destinations they apply to, in order of precedence. */
function ofDestination<P extends TrafficPolicy | AccessPolicy>(
  graph: Graph,
  { known }: Destinations,
  {
    targeted,
    applications,
  }: { readonly targeted: Collection<TargetedPolicy>; readonly applications: Collection<Application> },
  kind: P['kind'],
): Collection<Group<CheckedPolicy<P>>> {
  const asKind = (policy: TargetedPolicy): CheckedPolicy<P> | undefined =>
    policy.object.kind === kind ? (policy as unknown as CheckedPolicy<P>) : undefined;
  const forEverything = graph.group(
    `resolve/${kind}-for-everything`,
    targeted,
    (policy): Array<readonly [Key, CheckedPolicy<P>]> => {
      const wanted = isForEverything(policy.object) ? asKind(policy) : undefined;
      return wanted === undefined ? [] : [[realmBucket(policy.ref.cluster), wanted]];
    },
    comparePrecedence,
  );
  const selecting = graph.group(
    `resolve/${kind}-by-destination`,
    applications,
    ({ destination, policy }): Array<readonly [Key, CheckedPolicy<P>]> => {
      const wanted = asKind(policy);
      return wanted === undefined ? [] : [[destination, wanted]];
    },
    comparePrecedence,
  );
  return graph.derive(`resolve/${kind}-of-destination`, known, ({ cluster }, read, destination) => {
    const lists = [
      read.get(selecting, destination),
      read.get(forEverything, realmBucket('')),
      read.get(forEverything, realmBucket(cluster)),
    ].filter((list) => list !== undefined);
    const [first] = lists;
    if (first === undefined) return undefined;
    return sameList(lists.length === 1 ? first : lists.flat().sort(comparePrecedence));
  });
}

/** Policies of the management cluster reach everything, those of a workload cluster reach that cluster only. */
function mayReach(policy: PolicyRef, cluster: string): boolean {
  return policy.cluster === '' || policy.cluster === cluster;
}

/** What a policy of a workload cluster selects elsewhere, which it does not reach. */
function beyondAuthority(ref: PolicyRef, { kind, spec }: Policy): Report[] {
  if (ref.cluster === '' || kind === 'VirtualMesh') return [];
  return (spec.destinationSelector ?? []).flatMap(({ kubeServiceMatcher, kubeServiceRefs }, position) => {
    const named = [
      ...(kubeServiceMatcher?.clusters ?? []),
      ...(kubeServiceRefs?.services ?? []).map(({ clusterName }) => clusterName),
    ];
    const others = [...new Set(named)].filter((cluster) => cluster !== ref.cluster).sort();
    if (others.length === 0) return [];
    const message = `a policy of cluster ${ref.cluster} reaches destinations of that cluster only, not those of ${others.join(', ')}; put it into the management cluster`;
    const field = `spec.destinationSelector[${position}]`;
    return [{ code: 'NOT_GRANTED', severity: 'error', field, message }];
  });
}

interface Reference {
  readonly field: string;
  readonly service: ClusterObjectRef;
}

/** Every Service a policy names one by one. */
function referencesOf(policy: Policy): Reference[] {
  switch (policy.kind) {
    case 'VirtualMesh':
      return (policy.spec.federation?.selectors ?? []).flatMap(({ destinationSelectors }, position) =>
        selectorReferences(destinationSelectors, `spec.federation.selectors[${position}].destinationSelectors`),
      );
    case 'AccessPolicy':
      return selectorReferences(policy.spec.destinationSelector, 'spec.destinationSelector');
    case 'TrafficPolicy': {
      const { trafficShift, mirror } = policy.spec.policy ?? {};
      return [
        ...selectorReferences(policy.spec.destinationSelector, 'spec.destinationSelector'),
        ...(trafficShift?.destinations ?? []).flatMap(({ kubeService }, position) =>
          kubeService === undefined
            ? []
            : [{ field: `spec.policy.trafficShift.destinations[${position}].kubeService`, service: kubeService }],
        ),
        ...(mirror === undefined ? [] : [{ field: 'spec.policy.mirror.kubeService', service: mirror.kubeService }]),
      ];
    }
  }
}

function selectorReferences(selectors: readonly DestinationSelector[] | undefined, path: string): Reference[] {
  return (selectors ?? []).flatMap(({ kubeServiceRefs }, item) =>
    (kubeServiceRefs?.services ?? []).map((service, position) => ({
      field: `${path}[${item}].kubeServiceRefs.services[${position}]`,
      service,
    })),
  );
}

function missingReport(field: string, { name, namespace, clusterName }: ClusterObjectRef): Report {
  return {
    code: 'MISSING_REFERENCE',
    severity: 'error',
    field,
    message: `no Service ${namespace}/${name} is known in cluster ${clusterName}; it takes effect once there is one`,
    related: [{ kind: 'Destination', name, namespace, cluster: clusterName }],
  };
}
