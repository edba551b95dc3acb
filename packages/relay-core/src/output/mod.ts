/** The output stage: chooses the desired objects of each cluster. */
export { admissionRules } from './admission-rules.ts';
export type { Proposal, RejectedProposal } from './desired.ts';
export type { DesiredObject } from './desired-object.ts';
export { type DiscoveredObject, discoveredObjects } from './discovered.ts';
export { FENCE_POLICY, type FencePolicyOptions, fencePolicy } from './fence-policy.ts';
export { OBJECT_PATCH, type ObjectPatchSpec, objectPatch, readObjectPatch } from './object-patch.ts';
export { OBJECT_STATUS, type ObjectStatusSpec, objectStatus, readObjectStatus } from './object-status.ts';
export { chooseOutputs, type Origins } from './output.ts';
export { owned } from './ownership.ts';
export type { PolicyAckStatus } from './proxy-status.ts';
export type { PolicyUnanswered } from './unanswered-by-proxies.ts';
