/**
 * Policies from observed to effective: validated one by one, ordered, and matched with the destinations they select.
 */
import type { AccessPolicy, ClusterObjectRef, Policy, Report, TrafficPolicy } from '@meshrelay/api';
import { type Collection, type Group, type Key, key, memoize } from '@meshrelay/plugin';
import { internList } from '../../caches/intern-list.ts';
import type { Graph, Relation } from '../../graph/collection.ts';
import { InternedKeys } from '../../graph/interned-keys.ts';
import { clusterObjectKey, type FleetState } from '../../store/fleet-state.ts';
import { comparePrecedence, type Precedence } from '../../store/precedence.ts';
import {
  ALL_CLUSTERS,
  type Destinations,
  importedBucket,
  type KnownDestination,
  selectorBuckets,
  selects,
  selectsEverything,
} from '../inventory/mod.ts';
import {
  type Authorities,
  imports,
  owns,
  type PolicyScope,
  type RecordedRead,
  type ReferencingPolicy,
  unauthorizedRouteTarget,
  unauthorizedSelectors,
  unauthorizedWorkloads,
} from '../workspaces/mod.ts';
import { effectivePolicy, isAbout } from './last-good.ts';
import { missingSubsets, type SubsetSources } from './missing-subsets.ts';
import { distinctPolicies, type ObservedPolicy, observedPolicies } from './observed-policies.ts';
import { isForWorkloads, isTargeted } from './policy-kinds.ts';
import {
  missingReport,
  missingVirtual,
  type Reference,
  referencesOf,
  routeTargetsOf,
  virtualReferencesOf,
} from './references.ts';
import { unauthorizedMembers } from './unauthorized-members.ts';
import { registeredClusters, unknownClusters } from './unknown-clusters.ts';
import { virtualDestinationKey } from './virtual-destination-key.ts';

/** An effective policy: its values are valid, or it is the last accepted version of one with invalid values. */
export interface CheckedPolicy<P extends Policy = Policy> extends Precedence {
  readonly key: Key;
  readonly object: P;
}

/** A policy that selects destinations, and what it may act on. */
export interface TargetedPolicy<P extends TrafficPolicy | AccessPolicy = TrafficPolicy | AccessPolicy>
  extends CheckedPolicy<P> {
  readonly authority: PolicyScope;
}

/** The policies by themselves, before they are matched with what they act on. */
export interface EvaluatedValues {
  /** Every policy from every cluster that reports it. Under the policies' keys, like all collections below. */
  readonly reported: Collection<ObservedPolicy>;
  /** Every policy once. */
  readonly distinct: Collection<ObservedPolicy>;
  readonly checked: Collection<CheckedPolicy>;
}

export interface Policies extends EvaluatedValues {
  /**
   * Missing references of policies, for policies with any: clusters, destinations and subsets that do not exist, or
   * that the policy may not name.
   */
  readonly missing: Collection<readonly Report[]>;
  /** The policies that select destinations, with what they may act on. */
  readonly targeted: Collection<TargetedPolicy>;
  /** Each policy with each destination it selects; without policies that select everything. */
  readonly targets: Relation<TargetedPolicy>;
  /** By destination, in order of precedence. */
  readonly trafficPolicies: Collection<Group<TargetedPolicy<TrafficPolicy>>>;
  readonly accessPolicies: Collection<Group<TargetedPolicy<AccessPolicy>>>;
}

/**
 * Validates the values of every policy.
 * @param namespace the management namespace
 */
export function evaluateValues(graph: Graph, fleetState: FleetState, namespace: string): EvaluatedValues {
  const reported = observedPolicies(graph, fleetState, namespace);
  const distinct = distinctPolicies(graph, reported);
  const checked = graph.derive('resolve/checked', distinct, (policy, read, policyKey): CheckedPolicy | undefined => {
    const known = read.get(fleetState.ledgerPolicies, policyKey);
    const decision = known !== undefined && isAbout(known, policy) ? known : undefined;
    const object = effectivePolicy(policy, decision);
    if (object === undefined) return undefined;
    return { key: policyKey, ref: policy.ref, object, sequence: decision?.sequence ?? Number.POSITIVE_INFINITY };
  });
  return { reported, distinct, checked };
}

/** Matches policies with destinations. */
export function resolvePolicies(
  graph: Graph,
  values: EvaluatedValues,
  authorities: Authorities,
  sources: SubsetSources,
): Policies {
  const { destinations } = sources;
  const { checked } = values;
  const missing = graph.derive('resolve/missing', checked, ({ ref, object }, read, policy) => {
    const authority = read.get(authorities.ofPolicy, policy);
    const isUnauthorized = isTargeted(object) && authority !== undefined ? unauthorizedReach(authority) : () => false;
    // A policy of a workload cluster must not learn which other clusters exist.
    const registered = registeredClusters(() =>
      ref.cluster === '' ? (read.get(destinations.clusterNames, ALL_CLUSTERS) ?? []) : [],
    );
    const reports = [
      ...unknownClusters(object, registered),
      ...referencesOf(object).flatMap((reference) => {
        const { field, service } = reference;
        // An unauthorized destination changes nothing for the policy when it appears.
        if (isUnauthorized(reference) || read.has(destinations.known, clusterObjectKey(service))) return [];
        return [missingReport(field, service, registered)];
      }),
      ...virtualReferencesOf(object).flatMap(({ field, virtualDestination }) =>
        read.has(checked, virtualDestinationKey(virtualDestination)) ? [] : [missingVirtual(field, virtualDestination)],
      ),
    ];
    if (authority !== undefined && isForWorkloads(object))
      reports.push(
        ...unauthorizedWorkloads({ kind: object.kind, ref, authority }, object.spec.workloadSelectors, {
          read,
          workspaces: authorities.workspaces,
        }),
      );
    if (authority !== undefined && (isTargeted(object) || object.kind === 'VirtualDestination')) {
      const lookup = {
        read,
        workspaces: authorities.workspaces,
        destination: (service: ClusterObjectRef) => read.get(destinations.known, clusterObjectKey(service)),
        importsOf: (workspace: string) =>
          read.by(destinations.byBucket, importedBucket(workspace)).map(([, destination]) => destination),
      };
      reports.push(
        ...(object.kind === 'VirtualDestination'
          ? unauthorizedMembers({ kind: 'TrafficPolicy', ref, authority }, object.spec, lookup)
          : unauthorized({ kind: object.kind, ref, authority }, object, lookup)),
      );
      if (object.kind === 'TrafficPolicy')
        reports.push(...missingSubsets({ kind: object.kind, ref, authority }, object, sources, read));
    }
    return reports.length === 0 ? undefined : reports;
  });
  const targeted = graph.derive('resolve/targeted', checked, (policy, read, id): TargetedPolicy | undefined => {
    const { object } = policy;
    const authority = isTargeted(object) ? read.get(authorities.ofPolicy, id) : undefined;
    return authority === undefined ? undefined : ({ ...policy, authority } as TargetedPolicy);
  });
  const targets = graph.relate('resolve/targets', targeted, destinations.byBucket, {
    candidateBuckets: (policy) =>
      isForEverything(policy.object) ? [] : selectorBuckets(policy.object.spec.destinationSelector),
    matches: isSelected,
  });
  const onDestination = policiesOnDestinations(graph, destinations, { targeted, targets });
  return {
    ...values,
    missing,
    targeted,
    targets,
    trafficPolicies: graph.inline('resolve/TrafficPolicy-of-destination', onDestination, ({ traffic }) => traffic),
    accessPolicies: graph.inline('resolve/AccessPolicy-of-destination', onDestination, ({ access }) => access),
  };
}

/** Whether a policy selects a destination: its selectors match, and the policy may act on the destination. */
export function isSelected({ object, authority }: TargetedPolicy, destination: KnownDestination): boolean {
  return (
    (owns(authority, destination) || (object.kind === 'TrafficPolicy' && imports(authority, destination))) &&
    selects(object.spec.destinationSelector, destination)
  );
}

/**
 * True for a policy that selects every destination it may act on. Such a policy is reported once for all destinations,
 * not once for each.
 */
export function isForEverything(policy: Policy): boolean {
  return isTargeted(policy) && selectsEverything(policy.spec.destinationSelector);
}

/** The policies on one destination, in order of precedence. */
interface OnDestination {
  readonly traffic?: Group<TargetedPolicy<TrafficPolicy>>;
  readonly access?: Group<TargetedPolicy<AccessPolicy>>;
}

/** Destinations with the same policies share the same lists. */
function policiesOnDestinations(
  graph: Graph,
  { known }: Destinations,
  { targeted, targets }: Pick<Policies, 'targeted' | 'targets'>,
): Collection<OnDestination> {
  const forEverything = graph.group(
    'resolve/policies-for-all-destinations',
    targeted,
    (policy): Array<readonly [Key, TargetedPolicy]> =>
      isForEverything(policy.object) ? [[ownersBucket(policy.authority), policy]] : [],
  );
  return graph.derive(
    'resolve/policies-of-destination',
    known,
    (facts, read, destination): OnDestination | undefined => {
      // Policies that select everything are added as one group: most destinations have few others.
      const found: Array<TargetedPolicy | Group<TargetedPolicy>> = [];
      for (const [, policy] of read.by(targets.lefts, destination)) found.push(policy);
      for (const bucket of ownersOf(facts)) {
        const group = read.get(forEverything, bucket);
        if (group !== undefined) found.push(group);
      }
      for (const bucket of importersOf(facts)) {
        const group = read.get(forEverything, bucket);
        const traffic = group === undefined ? NO_POLICIES : trafficAmong(group);
        if (traffic.length > 0) found.push(traffic);
      }
      return found.length === 0 ? undefined : inOrder(internList(found));
    },
    { equals: (a, b) => a.traffic === b.traffic && a.access === b.access },
  );
}

/** The order of the inputs depends only on the policies, so destinations with the same policies share this list too. */
const inOrder = memoize((found: ReadonlyArray<TargetedPolicy | Group<TargetedPolicy>>): OnDestination => {
  const sorted = (found.flat() as TargetedPolicy[]).sort(comparePrecedence);
  const traffic = sorted.filter(isOfTraffic);
  const access = sorted.filter(isOfAccess);
  return {
    ...(traffic.length === 0 ? {} : { traffic: internList(traffic) }),
    ...(access.length === 0 ? {} : { access: internList(access) }),
  };
});

const NO_POLICIES: readonly never[] = [];

const trafficAmong = memoize(
  (group: Group<TargetedPolicy>): Group<TargetedPolicy> => internList(group.filter(isOfTraffic)),
);

function isOfTraffic(policy: TargetedPolicy): policy is TargetedPolicy<TrafficPolicy> {
  return policy.object.kind === 'TrafficPolicy';
}

function isOfAccess(policy: TargetedPolicy): policy is TargetedPolicy<AccessPolicy> {
  return policy.object.kind === 'AccessPolicy';
}

/** The bucket of policies that select everything within their scope. */
function ownersBucket(authority: PolicyScope): Key {
  switch (authority.kind) {
    case 'global':
      return GLOBAL;
    case 'unassigned':
      return key('unassigned', authority.cluster);
    case 'workspace':
      return key('workspace', authority.workspace);
  }
}

const GLOBAL = key('global');
const UNASSIGNED_OF = new InternedKeys('unassigned');
const UNASSIGNED = UNASSIGNED_OF.of('');

/** The buckets of the policies that act on a destination the way its owner does. */
function ownersOf({ cluster, workspace }: KnownDestination): Key[] {
  return workspace === undefined
    ? [GLOBAL, UNASSIGNED, UNASSIGNED_OF.of(cluster)]
    : [GLOBAL, key('workspace', workspace)];
}

function importersOf({ importedBy = [] }: KnownDestination): Key[] {
  return importedBy.map((workspace) => key('workspace', workspace));
}

/** References to clusters that a policy can never act on; another report covers those clusters. */
function unauthorizedReach(authority: PolicyScope): (reference: Reference) => boolean {
  if (authority.kind !== 'unassigned' || authority.cluster === '') return () => false;
  return ({ field, service }) => !field.startsWith('spec.policy.') && service.clusterName !== authority.cluster;
}

/** Objects that a policy names and may not act on. */
function unauthorized(
  referencingPolicy: ReferencingPolicy,
  object: TrafficPolicy | AccessPolicy,
  read: RecordedRead,
): Report[] {
  return [
    ...unauthorizedSelectors(referencingPolicy, object.spec.destinationSelector, read),
    ...routeTargetsOf(object).flatMap(({ field, service }) =>
      unauthorizedRouteTarget(referencingPolicy, field, service, read),
    ),
  ];
}
