/** The contract between Meshrelay and a mesh plugin: everything that authors of plugins need, and nothing else. */

export {
  type AccessAction,
  type AccessFieldName,
  type AccessLogFieldName,
  apiVersionOf,
  groupOf,
  type IpFamily,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  type PolicyRef,
  type Report,
  type TrafficFieldName,
  type VirtualDestinationFieldName,
  type VirtualMeshFieldName,
  type WasmFieldName,
  type WasmFilterContext,
  type WasmPhase,
} from '@meshrelay/api';
export * from './access-log-config.ts';
export * from './capability.ts';
export * from './contract.ts';
export type { AccessCapabilitiesOf } from './fields/access.ts';
export type { AccessLogCapabilitiesOf } from './fields/access-log.ts';
export {
  type ConnectionFieldName,
  fieldsSetIn,
  type RequestFieldName,
  type TrafficCapabilitiesOf,
  type TrafficViewOf,
} from './fields/traffic.ts';
export type { VirtualDestinationCapabilitiesOf } from './fields/virtual-destination.ts';
export type { VirtualMeshCapabilitiesOf } from './fields/virtual-mesh.ts';
export type {
  WasmCapabilitiesOf,
  WasmFilterFieldName,
  WasmSourceFieldName,
  WasmSourceViewOf,
} from './fields/wasm.ts';
export * from './format-policy-ref.ts';
export type * from './graph/collection.ts';
export * from './graph/key.ts';
export * from './kubernetes/cluster-label.ts';
export * from './kubernetes/foreign.ts';
export * from './kubernetes/kubernetes.ts';
export * from './kubernetes/resource-kind.ts';
export { memoize, memoizeUntilCompaction } from './memoize.ts';
export * from './name-settings.ts';
export type * from './native-object.ts';
export type * from './object-conflicts.ts';
export * from './object-name.ts';
export type * from './patches.ts';
export * from './percent-shares.ts';
export * from './port-to-dial.ts';
export { reportRolloutSubsets } from './rollout-subsets.ts';
export type * from './views/mod.ts';
export * from './workload-ca.ts';
