// Policies in force, as the statuses of meshes and destinations name them.
import type { z } from 'zod';
import { list } from '../schema/collection.ts';
import { object } from '../schema/object.ts';
import { count } from '../schema/scalar.ts';
import { type PolicyRef, resourceRef } from '../shared/ref.ts';

/** At most this many policies of a kind, and required subsets, are named in a status. */
export const MAX_APPLIED_POLICIES = 50;

/** A policy in force there. */
export interface AppliedPolicy {
  readonly ref: PolicyRef;
  /** The generation of the policy that is in force. */
  readonly observedGeneration: number;
}

/** Schema of a list of {@link AppliedPolicy}. */
export const appliedPolicies: z.ZodType<readonly AppliedPolicy[]> = list(
  object<AppliedPolicy>('AppliedPolicy', { required: { ref: resourceRef, observedGeneration: count }, optional: {} }),
  { maximum: MAX_APPLIED_POLICIES },
);
