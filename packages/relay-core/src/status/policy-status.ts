/** The status of each policy, folded from the verdicts on it. */
import {
  type Condition,
  type DestinationSelector,
  MAX_STATUS_REPORTS,
  MAX_STATUS_TARGETS,
  type Policy,
  type PolicyRef,
  type PolicyState,
  type PolicyStatus,
  type Report,
  type ResourceRef,
  type TargetStatus,
  type VirtualMesh,
} from '@meshrelay/api';
import type { Collection, Graph, Index, Read } from '../graph/collection.ts';
import { type Key, partsOf } from '../graph/key.ts';
import type { Resolved } from '../resolve/resolve.ts';
import { names } from '../resolve/selectors.ts';
import { type Verdict, verdictsByPolicy } from '../resolve/verdict.ts';

/** A condition without its time, which only a host with a clock and the status written before can tell. */
export type TimelessCondition = Omit<Condition, 'lastTransitionTime'>;

export interface ComputedStatus extends Omit<PolicyStatus, 'conditions'> {
  readonly conditions: readonly TimelessCondition[];
}

/** The status of a policy, and whether it is in force anywhere (so that the ledger remembers its turn). */
export interface JudgedPolicy {
  readonly ref: PolicyRef;
  readonly status: ComputedStatus;
  readonly inForce: boolean;
}

/** From best to worst: a policy's state is the worst of its targets'. */
const ORDER: readonly PolicyState[] = ['ACCEPTED', 'DEGRADED', 'PENDING', 'CONFLICT', 'INVALID', 'FAILED'];

/** Statuses under the policies' keys. */
export function policyStatuses(
  graph: Graph,
  resolved: Resolved,
  verdicts: readonly Collection<Verdict>[],
): Collection<JudgedPolicy> {
  const all = graph.join('status/verdicts', verdicts);
  const byPolicy = verdictsByPolicy(graph, all);
  const applicationsByPolicy = graph.index(
    resolved.policies.applications,
    'status/applications-by-policy',
    ({ policy }) => [policy.key],
  );
  return graph.derive('status/policies', resolved.policies.distinct, ({ ref, object }, read, policy): JudgedPolicy => {
    const invalid = read.get(resolved.policies.invalid, policy);
    if (invalid !== undefined) return judged(ref, object, 'INVALID', [], invalid, []);
    const own = [...(read.get(resolved.policies.missing, policy) ?? [])];
    const targets = new Map<Key, MutableTarget>();
    if (object.kind === 'VirtualMesh') {
      own.push(...memberTargets(read, resolved, policy, targets));
    } else {
      for (const [, { destination }] of read.by(applicationsByPolicy, policy))
        targets.set(destination, target('Destination', destination));
    }
    addVerdicts(targets, read, byPolicy, policy);
    settleMoot([...targets.values()], object);
    const conditions = object.kind === 'VirtualMesh' ? trustConditions(object) : [];
    if (object.kind === 'VirtualMesh' && conditions.length > 0) own.push(TRUST_REPORT);
    if (object.kind !== 'VirtualMesh' && targets.size === 0 && own.length === 0) own.push(NOTHING_SELECTED);
    return judged(ref, object, undefined, [...targets.values()], own, conditions);
  });
}

interface MutableTarget extends ResourceRef {
  state: PolicyState;
  readonly reports: Report[];
  /** What is in the target's nature and may be of no concern to the policy. */
  readonly moot: Report[];
}

function target(kind: 'Destination' | 'Mesh', targetKey: Key): MutableTarget {
  const [cluster = '', namespace = '', name = ''] = partsOf(targetKey);
  return { kind, cluster, namespace, name, state: 'ACCEPTED', reports: [], moot: [] };
}

function addVerdicts(targets: Map<Key, MutableTarget>, read: Read, byPolicy: Index<Verdict>, policy: Key): void {
  for (const [, verdict] of read.by(byPolicy, policy)) {
    const found = targets.get(verdict.target.key) ?? target(verdict.target.kind, verdict.target.key);
    targets.set(verdict.target.key, found);
    if (verdict.moot !== true) found.state = worse(found.state, verdict.state);
    const list = verdict.moot === true ? found.moot : found.reports;
    for (const report of verdict.reports) {
      if (!list.some((known) => known.code === report.code && known.message === report.message)) list.push(report);
    }
  }
}

/**
 * A policy for everything sweeps in what it cannot act on: that is told in passing. It is a loss where the policy names that very target,
 * or where there is no other target.
 */
function settleMoot(targets: readonly MutableTarget[], object: Policy): void {
  const nothingElse = targets.every(({ moot }) => moot.length > 0);
  const named = selectorsOf(object);
  for (const one of targets) {
    if (one.moot.length === 0) continue;
    const lost = nothingElse || names(named, one);
    if (lost) one.state = worse(one.state, 'DEGRADED');
    one.reports.push(...one.moot.map((report): Report => (lost ? report : { ...report, severity: 'info' })));
  }
}

function selectorsOf(object: Policy): readonly DestinationSelector[] {
  if (object.kind !== 'VirtualMesh') return object.spec.destinationSelector ?? [];
  return (object.spec.federation?.selectors ?? []).flatMap(({ destinationSelectors }) => destinationSelectors ?? []);
}

/** The members of a virtual mesh as its targets; gives the reports about the virtual mesh itself. */
function memberTargets(read: Read, resolved: Resolved, policy: Key, targets: Map<Key, MutableTarget>): Report[] {
  for (const [mesh] of read.by(resolved.virtualMeshes.members, policy)) {
    const member = target('Mesh', mesh);
    targets.set(mesh, member);
    if (read.count(resolved.federation.exportsOfMesh, mesh) === 0) continue;
    const problems = read.get(resolved.gateways, mesh)?.reports ?? [];
    member.reports.push(...problems);
    if (problems.length > 0 && (read.get(resolved.gateways, mesh)?.gateways.length ?? 0) === 0)
      member.state = 'PENDING';
  }
  return [...(read.get(resolved.virtualMeshes.problems, policy) ?? [])];
}

function judged(
  ref: PolicyRef,
  object: Policy,
  fixed: PolicyState | undefined,
  targets: readonly MutableTarget[],
  reports: readonly Report[],
  conditions: readonly TimelessCondition[],
): JudgedPolicy {
  const state = fixed ?? [...targets.map((one) => one.state), ...reports.map(stateOf)].reduce(worse, 'ACCEPTED');
  const inTrouble = targets.toSorted((a, b) => ORDER.indexOf(b.state) - ORDER.indexOf(a.state) || compareTargets(a, b));
  const inForce =
    fixed === undefined && (targets.length === 0 ? state === 'ACCEPTED' : targets.some((one) => isInForce(one.state)));
  return {
    ref,
    inForce,
    status: {
      observedGeneration: object.metadata.generation ?? 0,
      state,
      conditions,
      targetCount: targets.length,
      targets: inTrouble
        .slice(0, MAX_STATUS_TARGETS)
        .map(
          ({ moot: _moot, ...one }): TargetStatus => ({ ...one, reports: one.reports.slice(0, MAX_STATUS_REPORTS) }),
        ),
      reports: reports.slice(0, MAX_STATUS_REPORTS),
    },
  };
}

/** Members of a virtual mesh before its destinations, then by cluster, namespace, name: the same on every replica. */
function compareTargets(a: ResourceRef, b: ResourceRef): number {
  if (a.kind !== b.kind) return a.kind === 'Mesh' ? -1 : 1;
  const [first, second] = [a, b].map(({ kind, cluster, namespace, name }) =>
    [kind, cluster, namespace, name].join('\0'),
  );
  return (first ?? '') < (second ?? '') ? -1 : 1;
}

function isInForce(state: PolicyState): boolean {
  return state === 'ACCEPTED' || state === 'DEGRADED';
}

function worse(a: PolicyState, b: PolicyState): PolicyState {
  return ORDER.indexOf(a) >= ORDER.indexOf(b) ? a : b;
}

/** Reports about the policy as a whole: an unknown reference waits, another's mesh is a conflict, warnings change nothing. */
function stateOf({ code, severity }: Report): PolicyState {
  if (severity !== 'error') return 'ACCEPTED';
  switch (code) {
    case 'MISSING_REFERENCE':
      return 'PENDING';
    case 'CONFLICT':
      return 'CONFLICT';
    case 'NOT_GRANTED':
      return 'DEGRADED';
    default:
      return 'INVALID';
  }
}

const TRUST_REPORT: Report = {
  code: 'TRUST_NOT_ESTABLISHED',
  severity: 'warning',
  field: 'spec.mtlsConfig',
  message:
    'the members do not share a root of trust yet: this version issues no certificates; give every mesh a cacerts Secret signed by one root',
};

const NOTHING_SELECTED: Report = {
  code: 'NOTHING_SELECTED',
  severity: 'warning',
  field: 'spec.destinationSelector',
  message: 'no destination that is known is selected; the policy takes effect once there is one',
};

function trustConditions({ spec }: VirtualMesh): TimelessCondition[] {
  if (spec.mtlsConfig?.shared === undefined && spec.mtlsConfig?.limited === undefined) return [];
  return [{ type: 'TrustEstablished', status: 'False', reason: 'NotIssued', message: TRUST_REPORT.message }];
}
