// What Meshrelay reports back about objects. Statuses are bounded: counts, and the first few details.
import type { z } from 'zod';
import { list } from '../schema/collection.ts';
import { type Fields, object } from '../schema/object.ts';
import { count, name, oneOf, text } from '../schema/scalar.ts';
import { type ResourceRef, resourceRef } from './ref.ts';

/** At most this many targets are detailed in one status; `targetCount` counts them all. */
export const MAX_STATUS_TARGETS = 20;
/** At most this many bytes of JSON a policy's status has; where all that is told does not fit, the last of it is left out. */
export const MAX_STATUS_BYTES = 8192;
/** At most this many reports are listed per policy and per target. */
export const MAX_STATUS_REPORTS = 20;
/** At most this many related objects are named in one report. */
export const MAX_RELATED = 10;
/** At most this many conditions stand in one status. */
export const MAX_CONDITIONS = 32;

/**
 * What became of a spec. ACCEPTED: in force. PENDING: waits for something and heals itself. INVALID: breaks a rule.
 * CONFLICT: an earlier policy holds the field. DEGRADED: in force but for a part a mesh cannot carry.
 * FAILED: a mesh or API server refused the output.
 */
export type PolicyState = 'ACCEPTED' | 'PENDING' | 'INVALID' | 'CONFLICT' | 'DEGRADED' | 'FAILED';

/** An error keeps the spec, or a part of it, from having effect; a warning does not; an info only tells. */
export type Severity = 'error' | 'warning' | 'info';

/** One thing a user should know about a policy, as data. */
export interface Report {
  /** Stable word in upper snake case, such as `INVALID_VALUE`. */
  readonly code: string;
  readonly severity: Severity;
  /** Path into the policy, such as `spec.policy.retries.attempts`. */
  readonly field?: string;
  /** Names the object and field, what was expected and what to do next. */
  readonly message: string;
  /** The other objects involved, such as the policy that won. */
  readonly related?: readonly ResourceRef[];
}

/** A condition in Kubernetes' own shape: what is true over time. */
export interface Condition {
  /** Upper camel case, such as `TrustEstablished`. */
  readonly type: string;
  /** Whether it is so. */
  readonly status: 'True' | 'False' | 'Unknown';
  /** Upper camel case, machine-readable. */
  readonly reason: string;
  /** The same for people. */
  readonly message: string;
  /** RFC 3339. */
  readonly lastTransitionTime: string;
  /** The `metadata.generation` this was judged on. */
  readonly observedGeneration?: number;
}

/** What became of a policy on one of its targets. */
export interface TargetStatus extends ResourceRef {
  readonly state: PolicyState;
  readonly reports: readonly Report[];
}

/** The status of a policy. */
export interface PolicyStatus {
  /** The `metadata.generation` judged; 0 for objects that have none. */
  readonly observedGeneration: number;
  readonly state: PolicyState;
  readonly conditions: readonly Condition[];
  /** How many targets there are, detailed or not. */
  readonly targetCount?: number;
  /** The first {@link MAX_STATUS_TARGETS} targets, those in trouble first. */
  readonly targets: readonly TargetStatus[];
  readonly reports: readonly Report[];
}

const policyState: z.ZodType<PolicyState> = oneOf('ACCEPTED', 'PENDING', 'INVALID', 'CONFLICT', 'DEGRADED', 'FAILED');

const report: z.ZodType<Report> = object<Report>('Report', {
  required: { code: name, severity: oneOf('error', 'warning', 'info'), message: text },
  optional: { field: text, related: list(resourceRef, { maximum: MAX_RELATED }) },
});

/** Schema of a bounded list of reports. */
export const reports: z.ZodType<readonly Report[]> = list(report, { maximum: MAX_STATUS_REPORTS });

const condition: z.ZodType<Condition> = object<Condition>('Condition', {
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
export const conditions: z.ZodType<readonly Condition[]> = list(condition, { maximum: MAX_CONDITIONS });

const targetStatus: z.ZodType<TargetStatus> = object<TargetStatus>('TargetStatus', {
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
export const policyStatus: z.ZodType<PolicyStatus> = object<PolicyStatus>('PolicyStatus', policyStatusFields);
