/** The core of Meshrelay, without I/O: incremental graph, resolve, translate, output, and the mesh plugin contract. */
export * from './control-plane.ts';
export { type Discovery, discoverCluster, objectKey } from './discover/discovery.ts';
export type * from './explain/document.ts';
export { type ExplainAnswer, type ExplainContext, explain } from './explain/explain.ts';
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
export { desiredKey } from './output/desired.ts';
export { type DiscoveredObject, discoveredObjects } from './output/discovered.ts';
export * from './output/fence-policy.ts';
export * from './output/object-patch.ts';
export * from './output/object-status.ts';
export * from './output/ownership.ts';
export type { DesiredObject } from './output/packed-output.ts';
export type { PolicyUnanswered } from './output/unanswered-by-proxies.ts';
export { Packed } from './packed/packed.ts';
export type { PageCodec } from './packed/page-codec.ts';
export type * from './plan/document.ts';
export { isEmptyPlan, plan } from './plan/plan.ts';
export { ACCESS_LOG_CONFIG, accessLogConfig } from './plugin/access-log-config.ts';
export * from './plugin/capability.ts';
export * from './plugin/contract.ts';
export * from './plugin/endpoint.ts';
export { memoize, memoizeUntilCompaction } from './plugin/memoize.ts';
export { DNS_LABEL, type NameSetting, nameSettings } from './plugin/name-settings.ts';
export type * from './plugin/object-conflicts.ts';
export { objectName } from './plugin/object-name.ts';
export * from './plugin/patches.ts';
export { percentShares } from './plugin/percent-shares.ts';
export { type LoadedPlugin, loadPlugins, type PluginSource } from './plugin/registry.ts';
export { kindsReported } from './plugin/reported-kinds.ts';
export { reportRolloutSubsets } from './plugin/rollout-subsets.ts';
export type * from './plugin/views/mod.ts';
export * from './plugin/workload-ca.ts';
export { formatPolicyRef } from './resolve/format-policy-ref.ts';
export { uniqueNames } from './resolve/names.ts';
export type { Resolved } from './resolve/resolve.ts';
export * from './rights/mod.ts';
export { truncated } from './status/bounds.ts';
export type { ComputedStatus, EvaluatedPolicy, TimelessCondition } from './status/policy-status.ts';
export { type SettingsContext, settingsReports } from './status/settings-status.ts';
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
export { sourcePoliciesOf } from './translate/attempts.ts';
