/**
 * The running callers that a policy's source selectors select. A selector without any is mostly a typo; it still
 * applies to callers that appear later.
 */
import {
  type AccessPolicy,
  type IdentitySelector,
  nearest,
  type ServiceAccountRef,
  type TrafficPolicy,
  type Workload,
} from '@meshrelay/api';
import type { Key } from '@meshrelay/plugin';
import type { ControlPlane } from '../control-plane.ts';
import { selectsWorkload, targetRef, type WorkloadFacts, workloadFacts } from '../resolve/mod.ts';
import type { ExplainedCallers } from './document.ts';

/** The maximum number of workloads named for each selector. */
const MAX_NAMED = 3;

/** Each selector of callers with the running ones; undefined if the policy selects no callers. Reads all workloads. */
export function explainCallers(plane: ControlPlane, policy: Key): readonly ExplainedCallers[] | undefined {
  const object = plane.resolved.policies.checked.get(policy)?.object;
  if (object?.kind !== 'TrafficPolicy' && object?.kind !== 'AccessPolicy') return undefined;
  const requested = object.kind === 'TrafficPolicy' ? requestedByLabels(object) : requestedByIdentity(object);
  if (requested.length === 0) return undefined;
  const running = [...plane.fleetState.workloads.entries()].map(([id, { value }]) => runningOf(plane, id, value));
  return requested.map((one) => explained(one, running));
}

/** A workload, as source selectors see it. */
interface Running extends WorkloadFacts {
  readonly key: Key;
  /** Absent: no mesh's proxies run with it, so no mesh can identify its requests. */
  readonly trustDomain?: string;
}

/** A selector of callers, or one ServiceAccount of it. */
interface Requested {
  readonly field: string;
  readonly means: (workload: Running) => boolean;
  readonly account?: ServiceAccountRef;
}

function runningOf({ resolved }: ControlPlane, id: Key, workload: Workload): Running {
  const facts = workloadFacts(workload);
  const mesh = facts.mesh === undefined ? undefined : resolved.meshes.get(facts.mesh);
  return { ...facts, key: id, ...(mesh === undefined ? {} : { trustDomain: mesh.trustDomain }) };
}

function requestedByLabels({ spec: { sourceSelector = [] } }: TrafficPolicy): Requested[] {
  return sourceSelector.flatMap((selector, position): Requested[] =>
    selector.kubeWorkloadMatcher === undefined
      ? []
      : [{ field: `spec.sourceSelector[${position}]`, means: (workload) => selectsWorkload([selector], workload) }],
  );
}

function requestedByIdentity({ spec: { sourceSelector = [], unauthenticated = false } }: AccessPolicy): Requested[] {
  return unauthenticated
    ? []
    : sourceSelector.flatMap((selector, position) => requestedByItem(selector, `spec.sourceSelector[${position}]`));
}

/** A caller that matches any part of an item is selected. */
function requestedByItem({ kubeIdentityMatcher, kubeServiceAccountRefs }: IdentitySelector, path: string): Requested[] {
  const accounts = (kubeServiceAccountRefs?.serviceAccounts ?? []).map(
    (account, position): Requested => ({
      field: `${path}.kubeServiceAccountRefs.serviceAccounts[${position}]`,
      means: (workload) => runsAs(workload, account),
      account,
    }),
  );
  if (kubeIdentityMatcher === undefined) return accounts;
  const { trustDomains = [] } = kubeIdentityMatcher;
  const ofPlace: Requested = {
    field: `${path}.kubeIdentityMatcher`,
    means: (workload) =>
      selectsWorkload([{ kubeWorkloadMatcher: kubeIdentityMatcher }], workload) &&
      (trustDomains.length === 0 || trustDomains.includes(workload.trustDomain ?? '')),
  };
  return [ofPlace, ...accounts];
}

function runsAs({ serviceAccount, namespace, cluster }: Running, required: ServiceAccountRef): boolean {
  const isAny = (part: string | undefined): boolean => part === undefined || part === '';
  return (
    (isAny(required.name) || required.name === serviceAccount) &&
    (isAny(required.namespace) || required.namespace === namespace) &&
    (isAny(required.clusterName) || required.clusterName === cluster)
  );
}

function explained({ field, means, account }: Requested, running: readonly Running[]): ExplainedCallers {
  const meant = running.filter(means);
  const inMesh = meant.filter(({ trustDomain }) => trustDomain !== undefined);
  const likely = meant.length === 0 && account !== undefined ? likelyAccount(account, running) : undefined;
  return {
    field,
    count: inMesh.length,
    workloads: inMesh
      .map((workload) => workload.key)
      .sort()
      .slice(0, MAX_NAMED)
      .map((workload) => targetRef({ kind: 'Workload', key: workload })),
    outsideMeshes: meant.length - inMesh.length,
    ...(likely === undefined ? {} : { likely }),
  };
}

/** The ServiceAccount in the same place with the most similar name, for an account under which no workload runs. */
function likelyAccount({ name = '', ...place }: ServiceAccountRef, running: readonly Running[]): string | undefined {
  const there = running.filter((workload) => runsAs(workload, place));
  return nearest(name, new Set(there.map(({ serviceAccount }) => serviceAccount)));
}
