// Statuses that Meshrelay reports on objects. They are bounded: counts, and the first few details.
import type * as z from 'zod/mini';
import { list } from '../schema/collection.ts';
import { type Fields, object } from '../schema/object.ts';
import { count, name, oneOf, text } from '../schema/scalar.ts';
import { type ResourceRef, resourceRef } from './ref.ts';

/** Maximum number of detailed targets in one status; `targetCount` counts them all. */
export const MAX_STATUS_TARGETS = 20;
/** Maximum size of a policy's status in bytes of JSON; if all details exceed it, the last ones are left out. */
export const MAX_STATUS_BYTES = 8192;
/** Maximum number of reports per policy and per target. */
export const MAX_STATUS_REPORTS = 20;
/** Maximum number of related objects in one report. */
export const MAX_RELATED = 10;
/** Maximum number of conditions in one status. */
export const MAX_CONDITIONS = 32;

/**
 * State of a spec. ACCEPTED: effective. PENDING: waits for a condition and recovers by itself. INVALID: breaks a rule.
 * CONFLICT: an earlier policy holds the field. DEGRADED: effective except for a part that a mesh does not support.
 * FAILED: a mesh or API server rejected the output.
 */
export type PolicyState = 'ACCEPTED' | 'PENDING' | 'INVALID' | 'CONFLICT' | 'DEGRADED' | 'FAILED';

/** An error keeps the spec, or a part of it, from having effect; a warning does not; an info only informs. */
export type Severity = 'error' | 'warning' | 'info';

/** One message about a policy for users, as data. */
export interface Report {
  /** Stable code in upper snake case, such as `INVALID_VALUE`. */
  readonly code: string;
  readonly severity: Severity;
  /** Path into the policy, such as `spec.policy.retries.attempts`. */
  readonly field?: string;
  /** Names the object and field, the expected value and the next action. */
  readonly message: string;
  /** The other objects involved, such as the policy that has precedence. */
  readonly related?: readonly ResourceRef[];
}

/** A condition in Kubernetes' own shape. */
export interface Condition {
  /** Upper camel case, such as `TrustEstablished`. */
  readonly type: string;
  /** Whether the condition holds. */
  readonly status: 'True' | 'False' | 'Unknown';
  /** Upper camel case, machine-readable. */
  readonly reason: string;
  /** The same as text. */
  readonly message: string;
  /** RFC 3339. */
  readonly lastTransitionTime: string;
  /** The `metadata.generation` that this status describes. */
  readonly observedGeneration?: number;
}

/** Status of a policy on one of its targets. */
export interface TargetStatus extends ResourceRef {
  readonly state: PolicyState;
  readonly reports: readonly Report[];
}

/** The status of a policy. */
export interface PolicyStatus {
  /** The `metadata.generation` that this status describes; 0 for objects that have none. */
  readonly observedGeneration: number;
  readonly state: PolicyState;
  readonly conditions: readonly Condition[];
  /** Number of targets, detailed or not. */
  readonly targetCount?: number;
  /** The first {@link MAX_STATUS_TARGETS} targets, those with problems first. */
  readonly targets: readonly TargetStatus[];
  readonly reports: readonly Report[];
}

const policyState: z.ZodMiniType<PolicyState> = oneOf(
  'ACCEPTED',
  'PENDING',
  'INVALID',
  'CONFLICT',
  'DEGRADED',
  'FAILED',
);

const report: z.ZodMiniType<Report> = object<Report>('Report', {
  required: { code: name, severity: oneOf('error', 'warning', 'info'), message: text },
  optional: { field: text, related: list(resourceRef, { maximum: MAX_RELATED }) },
});

/** Schema of a bounded list of reports. */
export const reports: z.ZodMiniType<readonly Report[]> = list(report, { maximum: MAX_STATUS_REPORTS });

const condition: z.ZodMiniType<Condition> = object<Condition>('Condition', {
  required: {
    type: name,
    status: oneOf('True', 'False', 'Unknown'),
    reason: text,
    message: text,
    lastTransitionTime: text,
  },
  optional: { observedGeneration: count },
});

/** Schema of a list of conditions. */
export const conditions: z.ZodMiniType<readonly Condition[]> = list(condition, { maximum: MAX_CONDITIONS });

const targetStatus: z.ZodMiniType<TargetStatus> = object<TargetStatus>('TargetStatus', {
  required: { kind: name, name, namespace: text, cluster: text, state: policyState, reports },
  optional: {},
});

/** The fields of {@link PolicyStatus}, for statuses that have more. */
export const policyStatusFields: Fields<PolicyStatus> = {
  required: {
    observedGeneration: count,
    state: policyState,
    conditions,
    targets: list(targetStatus, { maximum: MAX_STATUS_TARGETS }),
    reports,
  },
  optional: { targetCount: count },
};

/** Schema of {@link PolicyStatus}. */
export const policyStatus: z.ZodMiniType<PolicyStatus> = object<PolicyStatus>('PolicyStatus', policyStatusFields);
