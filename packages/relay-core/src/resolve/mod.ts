/** The resolve stage: from the fleet state to views. */
export { collectDiagnostics, type Diagnostic, orderText, type TargetKind, targetRef } from './diagnostic.ts';
export { type KnownWorkload, selectsWorkload, type WorkloadPolicies } from './extensions/mod.ts';
export type { Exported } from './federation/mod.ts';
export {
  ALL_CLUSTERS,
  clusterBucket,
  importedBucket,
  names,
  uniqueNames,
  type WorkloadFacts,
  workloadFacts,
  workspaceBucket,
  workspaceOwnedBucket,
} from './inventory/mod.ts';
export {
  type CheckedPolicy,
  isAbout,
  isForEverything,
  isForWorkloads,
  isSelected,
  isTargeted,
  lastGoodReport,
  lifetimeNotes,
  type ObservedPolicy,
  type TargetedPolicy,
} from './policies/mod.ts';
export { type Resolved, resolve } from './resolve.ts';
export { connectionFieldsFor, isForEveryRequest, setsNoField } from './traffic/mod.ts';
export { consumerKey, type VirtualPlan } from './virtual-destinations/mod.ts';
export type { PolicyScope } from './workspaces/mod.ts';
