/** The status stage: the state of each policy. */
export { truncated } from './bounds.ts';
export type { ComputedStatus } from './computed-status.ts';
export { discoveredStatuses } from './discovered-status.ts';
export { memberTargets, virtualTargets } from './own-targets.ts';
export { type EvaluatedPolicy, evaluatedPolicy, type PackedPolicyStatus, policyStatuses } from './policy-status.ts';
export { reportTargets, worse } from './reported-targets.ts';
export { selectedTargets } from './selected-targets.ts';
export { type SettingsContext, settingsReports } from './settings-status.ts';
export { STORED, WHOLE } from './status-limits.ts';
export type { TimelessCondition } from './timeless-condition.ts';
export { unappliedNames } from './unapplied-names.ts';
