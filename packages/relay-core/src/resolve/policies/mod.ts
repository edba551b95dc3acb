/** Valid policies in order of precedence, with what they select. */
export { isAbout, lastGoodReport } from './last-good.ts';
export type { ObservedPolicy } from './observed-policies.ts';
export type { Outcome } from './outcome.ts';
export {
  type CheckedPolicy,
  evaluateValues,
  isForEverything,
  isSelected,
  type Policies,
  resolvePolicies,
  type TargetedPolicy,
} from './policies.ts';
export { isForWorkloads, isTargeted, type WorkloadPolicy } from './policy-kinds.ts';
export { lifetimeNotes } from './trust-settings.ts';
export { virtualDestinationKey } from './virtual-destination-key.ts';
