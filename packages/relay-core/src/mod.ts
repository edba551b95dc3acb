/** The core of Meshrelay, without I/O: incremental graph, resolve, translate, output, and the mesh plugin contract. */

export {
  ACCESS_LOG_CONFIG,
  type AccessRuleView,
  apiVersionOf,
  type Capability,
  type CapabilityTable,
  CLUSTER_LABEL,
  CONFIG_MAP,
  type Collection,
  type ConfigMap,
  containersOf,
  controllerOf,
  DEPLOYMENT,
  type DiscoveredMember,
  type DiscoveredMesh,
  defineMeshPlugin,
  groupOf,
  type Key,
  key,
  kindKey,
  type MeshFacts,
  type MeshPlugin,
  type MtlsMode,
  NAMESPACE,
  type NamedValueMatch,
  type NativeObject,
  type PatchOperation,
  type PatchPermission,
  POD,
  type Pod,
  type PodController,
  partsOf,
  percentShares,
  type ResourceKind,
  type RouteMatchView,
  type RouteTarget,
  type StringMatchView,
  VIEW_FIELDS,
  type ViewField,
  WORKLOAD_CA_SECRET,
  WORKLOAD_ROOTS,
  WORKLOAD_ROOTS_KEY,
  WORKLOAD_SECRETS,
} from '@meshrelay/plugin';
export { isRolloutLabel } from '@meshrelay/plugin/host';
export * from './control-plane.ts';
export {
  type Discovery,
  discoverCluster,
  type FailedDiscovery,
  objectKey,
  refuseFailedDiscovery,
} from './discover/mod.ts';
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
export { CAPABILITY_PATHS } from './fields/capabilities.ts';
export type * from './graph/collection.ts';
export { compareKeys } from './graph/compare-keys.ts';
export { deepEqual } from './graph/deep-equal.ts';
export { GraphError, type GraphErrorCode, isBroken } from './graph/errors.ts';
export { createGraph, type GraphOptions } from './graph/graph.ts';
export { canonicalJson, type Hasher } from './input/canonical.ts';
export { refuseTooDeep } from './input/depth.ts';
export * from './input/managed-labels.ts';
export { namespaceObject } from './input/namespace-object.ts';
export { withoutNoise } from './input/noise.ts';
export { CORE_WATCHES } from './input/watched-kinds.ts';
export { type Decisions, decide, type PendingDecisions, type UndecidedPolicy } from './ledger/decisions.ts';
export { LEDGER_SHARDS, shardsWith } from './ledger/shards.ts';
export { allocateVirtualIps } from './ledger/virtual-ips.ts';
export type { ClusterObjects } from './offline/cluster-objects.ts';
export { agentObjects, buildFleet, type FleetInputs, isPushedAsItIs } from './offline/fleet.ts';
export { pushedObjects } from './offline/published-objects.ts';
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
export * from './plugin/capability.ts';
export * from './plugin/endpoint.ts';
export { isForbiddenKind } from './plugin/forbidden-kinds.ts';
export { interceptCalls, type RunCall, type RunCallsOf } from './plugin/intercept-calls.ts';
export * from './plugin/patches.ts';
export { quarantine } from './plugin/quarantine.ts';
export { type LoadedPlugin, loadPlugins, type PluginSource } from './plugin/registry.ts';
export { kindsReported } from './plugin/reported-kinds.ts';
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
export { APPROVE_ANNOTATION, CHANGED_BY_ANNOTATION, REQUEST_ANNOTATION } from './store/notes.ts';
export { desiredKey, sourcePoliciesOf } from './translate/mod.ts';
