/** The status of each policy, aggregated from its diagnostics. */
import type { PolicyRef, PolicyState, Report } from '@meshrelay/api';
import type { Collection } from '@meshrelay/plugin';
import type { Graph } from '../graph/collection.ts';
import type { PolicyAckStatus } from '../output/mod.ts';
import { Packed } from '../packed/packed.ts';
import {
  isForWorkloads,
  isTargeted,
  lastGoodReport,
  lifetimeNotes,
  type ObservedPolicy,
  type Resolved,
  setsNoField,
} from '../resolve/mod.ts';
import type { FleetState } from '../store/fleet-state.ts';
import type { ComputedStatus, KindFacts } from './computed-status.ts';
import { connectionNotes } from './connection-notes.ts';
import { corsNotes } from './cors-notes.ts';
import type { StatusLimits } from './limits.ts';
import { PolicyTargets } from './policy-targets.ts';
import { type ReportedTargets, worse } from './reported-targets.ts';
import { restartNotes } from './restart-notes.ts';
import { retriesNotes } from './retries-notes.ts';
import { rollouts } from './rollout.ts';
import type { SelectedBy } from './selected-targets.ts';
import type { TimelessCondition } from './timeless-condition.ts';
import { trustStatus } from './trust-status.ts';
import { virtualDestinationFacts } from './virtual-destination-status.ts';
import { worstOf } from './worst-first.ts';

/** The status of a policy, and whether it is effective anywhere, so that the ledger records its acceptance sequence. */
export interface EvaluatedPolicy extends Evaluation {
  /** Built on access: keep the result instead of reading it twice. */
  readonly status: ComputedStatus;
}

interface Evaluation {
  readonly ref: PolicyRef;
  readonly isEffective: boolean;
}

/** The packed form in the graph: a status names up to twenty targets, and unchanged statuses are rarely read. */
export type PackedPolicyStatus = Packed<ComputedStatus, Evaluation>;

/** As readers see it. */
export function evaluatedPolicy(retained: PackedPolicyStatus): EvaluatedPolicy {
  const { ref, isEffective } = retained.about;
  return {
    ref,
    get status() {
      return retained.value;
    },
    isEffective,
  };
}

/** The inputs of statuses, and their limits. */
export interface EvaluationInputs {
  readonly reported: ReportedTargets;
  readonly selectedBy: SelectedBy;
  readonly ackStatus: Collection<PolicyAckStatus>;
  readonly shortLivedRoots: FleetState['shortLivedRoots'];
  readonly limits: StatusLimits;
}

/** Statuses under the policies' keys. */
export function policyStatuses(
  graph: Graph,
  resolved: Resolved,
  { reported: { partsOf }, selectedBy, ackStatus, shortLivedRoots, limits }: EvaluationInputs,
): Collection<PackedPolicyStatus> {
  const rolloutOf = rollouts(graph, ackStatus);
  return graph.derive(
    'status/policies',
    resolved.policies.distinct,
    (reported, read, policyKey): PackedPolicyStatus => {
      const policy = read.get(resolved.policies.checked, policyKey);
      if (policy === undefined) return evaluatedInvalid(reported, limits);
      const { object } = policy;
      const own = [
        ...(read.get(resolved.policies.missing, policyKey) ?? []),
        ...(read.get(resolved.authorityProblems, policyKey) ?? []),
      ];
      if (object.kind === 'VirtualMesh')
        own.push(
          ...(read.get(resolved.virtualMeshes.problems, policyKey) ?? []),
          ...restartNotes(object),
          ...lifetimeNotes(object, read.get(shortLivedRoots, policyKey)),
        );
      const virtual =
        object.kind === 'VirtualDestination' ? virtualDestinationFacts(read, resolved, policyKey) : undefined;
      own.push(...(virtual?.reports ?? []));
      const targets = new PolicyTargets(
        read.by(partsOf, policyKey).map(([, part]) => part),
        selectedBy(policyKey, read),
      );
      const trust = object.kind === 'VirtualMesh' ? trustStatus(read, resolved, policyKey, object) : undefined;
      own.push(...(trust?.reports ?? []));
      const rollout = object.kind === 'WasmDeployment' ? rolloutOf(policyKey, read) : undefined;
      if (targets.count === 0 && own.length === 0) {
        if (isTargeted(object)) own.push(NO_TARGETS_SELECTED);
        if (isForWorkloads(object)) own.push(NO_WORKLOAD_SELECTED);
      }
      if (object.kind === 'TrafficPolicy' && setsNoField(object)) own.push(EMPTY_POLICY);
      if (object.kind === 'TrafficPolicy')
        own.push(...connectionNotes(object), ...corsNotes(object), ...retriesNotes(object));
      const faults =
        reported.faults.length === 0 ? [] : [...reported.faults.slice(0, limits.reports - 1), lastGoodReport(object)];
      return evaluated(reported, targets, [...faults, ...own], {
        limits,
        conditions: [...(trust?.conditions ?? []), ...(rollout?.conditions ?? [])],
        facts: { ...virtual?.facts, ...rollout?.facts },
      });
    },
  );
}

function evaluatedInvalid({ ref, generation, faults }: ObservedPolicy, limits: StatusLimits): PackedPolicyStatus {
  const rest = { conditions: [], targetCount: 0, targets: [], reports: faults.slice(0, limits.reports) };
  return new Packed(limits.fit({ observedGeneration: generation, state: 'INVALID', ...rest }), {
    ref,
    isEffective: false,
  });
}

interface EvaluationContext {
  readonly conditions: readonly TimelessCondition[];
  readonly facts: KindFacts;
  readonly limits: StatusLimits;
}

function evaluated(
  { ref, generation, faults }: ObservedPolicy,
  targets: PolicyTargets,
  reports: readonly Report[],
  { conditions, facts, limits }: EvaluationContext,
): PackedPolicyStatus {
  const found = reports.map(stateOf).reduce(worse, targets.worstState);
  // The effective earlier spec may be in any state, and that state does not describe the spec that the user sees.
  const state = faults.length === 0 ? found : 'INVALID';
  const status = limits.fit({
    observedGeneration: generation,
    state,
    conditions,
    targetCount: targets.count,
    targets: targets.first(limits.targets),
    reports: worstOf(reports, limits.reports),
    ...facts,
  });
  return new Packed(status, {
    ref,
    isEffective: isMember(ref) || (targets.count === 0 ? state === 'ACCEPTED' : targets.isEffectiveAnywhere),
  });
}

/**
 * Workspaces and their settings keep their acceptance sequence in any state: they are effective unless they conflict
 * with an earlier one.
 */
function isMember({ kind }: PolicyRef): boolean {
  return kind === 'Workspace' || kind === 'WorkspaceSettings';
}

/**
 * Reports about the policy as a whole: an unknown reference is pending, another's mesh is a conflict, warnings change
 * nothing.
 */
function stateOf({ code, severity }: Report): PolicyState {
  if (severity !== 'error') return 'ACCEPTED';
  switch (code) {
    case 'REF_NOT_FOUND':
    case 'MISSING_SUBSET':
    case 'NOT_EXPORTED':
    case 'ADDRESS_PENDING':
      return 'PENDING';
    case 'CONFLICT':
      return 'CONFLICT';
    case 'REF_NOT_PERMITTED':
    case 'TRUST_DOMAIN_NOT_ALLOWED':
      return 'DEGRADED';
    default:
      return 'INVALID';
  }
}

const EMPTY_POLICY: Report = {
  code: 'EMPTY_POLICY',
  severity: 'info',
  field: 'spec.policy',
  message: 'spec.policy sets no field, so the policy has no effect',
};

const NO_TARGETS_SELECTED: Report = {
  code: 'NO_TARGETS_SELECTED',
  severity: 'warning',
  field: 'spec.destinationSelector',
  message: 'no known destination is selected; the policy takes effect when one matches',
};

const NO_WORKLOAD_SELECTED: Report = {
  code: 'NO_TARGETS_SELECTED',
  severity: 'warning',
  field: 'spec.workloadSelectors',
  message: 'no known workload is selected; the policy takes effect when one matches',
};
