/** What a host of plugins needs besides the contract: the tables of fields, and the caches that plugins fill. */

export {
  ACCESS_FIELDS,
  type AccessCapability,
  type AccessPartOf,
  type AccessRuleParts,
} from './fields/access.ts';
export {
  ACCESS_LOG_FIELDS,
  ACCESS_LOG_REQUESTS,
  type AccessLogCapability,
  type AccessLogPartOf,
  type AccessLogRuleParts,
} from './fields/access-log.ts';
export type { MatchCapability } from './fields/match.ts';
export { TRAFFIC_FIELDS, type TrafficCapability } from './fields/traffic.ts';
export type { VirtualDestinationCapability } from './fields/virtual-destination.ts';
export type { VirtualMeshCapability } from './fields/virtual-mesh.ts';
export type { WasmCapability, WasmFilterParts, WasmPartOf } from './fields/wasm.ts';
export { clearMemoized, onCompaction } from './memoize.ts';
export { isRolloutLabel, LABELS_OF_A_POD, POD_NAME_LABEL, rolloutLabelsIn } from './rollout-labels.ts';
