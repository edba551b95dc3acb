// Effective policies in the statuses of meshes and destinations.
import type * as z from 'zod/mini';
import { list } from '../schema/collection.ts';
import { object } from '../schema/object.ts';
import { count } from '../schema/scalar.ts';
import { type PolicyRef, resourceRef } from '../shared/ref.ts';

/** Maximum number of policies of a kind, and of required subsets, in a status. */
export const MAX_APPLIED_POLICIES = 50;

/** A policy that is effective there. */
export interface AppliedPolicy {
  readonly ref: PolicyRef;
  /** The effective generation of the policy. */
  readonly observedGeneration: number;
}

/** Schema of a list of {@link AppliedPolicy}. */
export const appliedPolicies: z.ZodMiniType<readonly AppliedPolicy[]> = list(
  object<AppliedPolicy>('AppliedPolicy', { required: { ref: resourceRef, observedGeneration: count }, optional: {} }),
  { maximum: MAX_APPLIED_POLICIES },
);
