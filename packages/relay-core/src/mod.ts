/** The core of Meshrelay, without I/O: incremental graph, resolve, translate, output, and the mesh plugin contract. */

export { memoize, memoizeUntilCompaction } from './caches/memoize.ts';
export * from './control-plane.ts';
export { type Discovery, discoverCluster, objectKey } from './discover/mod.ts';
export {
  type BackendOf,
  type DestinationExplanation,
  type DestinationFromMesh,
  type EffectiveField,
  type ExplainAnswer,
  type ExplainContext,
  type ExplainDocument,
  type ExplainedCallers,
  type ExplainedOutput,
  type ExplainedPatch,
  type ExplainedTarget,
  explain,
  type FieldOrigin,
  type MeshLocation,
  type MissingReference,
  type NameHolder,
  type NotApplied,
  type OutputExplanation,
  type OutputLocation,
  type OutputSource,
  type PolicyExplanation,
  type PolicyOnTarget,
  type RouteExplanation,
  type VirtualDestinationExplanation,
  type VirtualDestinationFromMesh,
} from './explain/mod.ts';
export type { AccessCapabilitiesOf } from './fields/access/mod.ts';
export type { AccessLogCapabilitiesOf } from './fields/access-log/mod.ts';
export {
  type ConnectionFieldName,
  fieldsSetIn,
  type RequestFieldName,
  type TrafficCapabilitiesOf,
  type TrafficViewOf,
} from './fields/traffic/mod.ts';
export type { VirtualDestinationCapabilitiesOf } from './fields/virtual-destination/mod.ts';
export type { VirtualMeshCapabilitiesOf } from './fields/virtual-mesh/mod.ts';
export type {
  WasmCapabilitiesOf,
  WasmFilterFieldName,
  WasmSourceFieldName,
  WasmSourceViewOf,
} from './fields/wasm/mod.ts';
export type * from './graph/collection.ts';
export { deepEqual } from './graph/deep-equal.ts';
export { GraphError, type GraphErrorCode, isBroken } from './graph/errors.ts';
export { createGraph, type GraphOptions } from './graph/graph.ts';
export { compareKeys, type Key, key, partsOf } from './graph/key.ts';
export { canonicalJson, type Hasher } from './input/canonical.ts';
export { refuseTooDeep } from './input/depth.ts';
export * from './input/foreign.ts';
export * from './input/kubernetes.ts';
export * from './input/managed-labels.ts';
export { withoutNoise } from './input/noise.ts';
export * from './input/resource-kind.ts';
export { type Decisions, decide, type PendingDecisions, type UndecidedPolicy } from './ledger/decisions.ts';
export { LEDGER_SHARDS, shardsWith } from './ledger/shards.ts';
export { allocateVirtualIps } from './ledger/virtual-ips.ts';
export { agentObjects, buildFleet, type ClusterObjects, type FleetInputs, isPushedAsItIs } from './offline/fleet.ts';
export * from './offline/status-document.ts';
export {
  type DesiredObject,
  type DiscoveredObject,
  discoveredObjects,
  FENCE_POLICY,
  type FencePolicyOptions,
  fencePolicy,
  OBJECT_PATCH,
  OBJECT_STATUS,
  type ObjectPatchSpec,
  type ObjectStatusSpec,
  objectPatch,
  objectStatus,
  owned,
  type PolicyUnanswered,
  readObjectPatch,
  readObjectStatus,
} from './output/mod.ts';
export { Packed } from './packed/packed.ts';
export type { PageCodec } from './packed/page-codec.ts';
export {
  type BlastRadius,
  type ChangeKind,
  type ClusterPlan,
  type FieldChange,
  isEmptyPlan,
  type ObjectChange,
  type PlanDocument,
  type PolicyChange,
  plan,
  type ReachedDestination,
} from './plan/mod.ts';
export { ACCESS_LOG_CONFIG, accessLogConfig } from './plugin/access-log-config.ts';
export * from './plugin/capability.ts';
export * from './plugin/contract.ts';
export * from './plugin/endpoint.ts';
export { DNS_LABEL, type NameSetting, nameSettings } from './plugin/name-settings.ts';
export type * from './plugin/native-object.ts';
export type * from './plugin/object-conflicts.ts';
export { objectName } from './plugin/object-name.ts';
export * from './plugin/patches.ts';
export { percentShares } from './plugin/percent-shares.ts';
export { type LoadedPlugin, loadPlugins, type PluginSource } from './plugin/registry.ts';
export { kindsReported } from './plugin/reported-kinds.ts';
export type * from './plugin/views/mod.ts';
export * from './plugin/workload-ca.ts';
export { type Resolved, uniqueNames } from './resolve/mod.ts';
export * from './rights/mod.ts';
export {
  type ComputedStatus,
  type EvaluatedPolicy,
  type SettingsContext,
  settingsReports,
  type TimelessCondition,
  truncated,
} from './status/mod.ts';
export { clusterMismatch } from './store/cluster-mismatches.ts';
export {
  deleteObject,
  MANAGEMENT_CLUSTER,
  type ObjectName,
  setObject,
  setUnreadable,
  type UnreadableObject,
} from './store/feed.ts';
export * from './store/fleet-state.ts';
export { formatPolicyRef } from './store/format-policy-ref.ts';
export { APPROVE_ANNOTATION, CHANGED_BY_ANNOTATION, REQUEST_ANNOTATION } from './store/notes.ts';
export { desiredKey, reportRolloutSubsets, sourcePoliciesOf } from './translate/mod.ts';
