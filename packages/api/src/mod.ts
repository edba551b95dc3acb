// Kinds of Meshrelay: types, schemas, defaulting, validation and the kind registry.
export type * from './admin/ledger.ts';
export type * from './admin/output-ledger.ts';
export type * from './admin/settings.ts';
export type * from './admin/workspace.ts';
export type * from './admin/workspace-settings.ts';
export type * from './agent/access-log-config.ts';
export type * from './agent/xds-config.ts';
export { MAX_LAGGING_WORKLOADS, MAX_SILENT_REPLICAS, MAX_XDS_NACKS } from './agent/xds-config.ts';
export type * from './certificates/issued-certificate.ts';
export { type Decoded, type DecodeOptions, decodeObject, validateObject } from './decode/decode-object.ts';
export { MAX_DEPTH } from './decode/plain-json.ts';
export { INVALID_VALUE } from './decode/report-values.ts';
export type { ShapeProblem } from './decode/shape-problem.ts';
export * from './defaults.ts';
export { type AppliedPolicy, MAX_APPLIED_POLICIES } from './discovery/applied-policy.ts';
export type * from './discovery/destination.ts';
export type * from './discovery/mesh.ts';
export * from './discovery/subset-values.ts';
export type * from './discovery/workload.ts';
export type * from './extensions/access-log/fields.ts';
export type * from './extensions/access-log/filters.ts';
export type * from './extensions/access-log-record.ts';
export type * from './extensions/wasm/config-map-source.ts';
export type * from './extensions/wasm/failure-policy.ts';
export type * from './extensions/wasm/fields.ts';
export type * from './extensions/wasm/filter-context.ts';
export type * from './extensions/wasm/filter-fields.ts';
export { MAX_WASM_FILTERS } from './extensions/wasm/filters.ts';
export type * from './extensions/wasm/http-uri-source.ts';
export type * from './extensions/wasm/phase.ts';
export type * from './extensions/wasm/wasm-image-source.ts';
export type * from './extensions/wasm-deployment.ts';
export { MAX_WASM_WORKLOADS } from './extensions/wasm-deployment.ts';
export * from './group.ts';
export type * from './kube/json.ts';
export type * from './kube/metadata.ts';
export type * from './kube/object.ts';
export type * from './meshrelay-object.ts';
export type * from './multicluster/kubernetes-cluster.ts';
export { MAX_HELD_OUTPUTS } from './multicluster/kubernetes-cluster.ts';
export { type AccessAction, DEFAULT_ACCESS_ACTION } from './networking/access/action.ts';
export type * from './networking/access/fields.ts';
export type * from './networking/access-policy.ts';
export * from './networking/certificate-options.ts';
export type * from './networking/traffic/connection-pool.ts';
export type * from './networking/traffic/cors-policy.ts';
export type * from './networking/traffic/csrf.ts';
export type * from './networking/traffic/fault-injection.ts';
export { TRAFFIC_FIELDS, type TrafficFieldName, type TrafficRules } from './networking/traffic/fields.ts';
export type * from './networking/traffic/local-rate-limit.ts';
export type * from './networking/traffic/mirror.ts';
export type * from './networking/traffic/mtls.ts';
export { defaultOutlierDetection, type OutlierDetection } from './networking/traffic/outlier-detection.ts';
export type * from './networking/traffic/retries.ts';
export type * from './networking/traffic/traffic-shift.ts';
export { DEFAULT_WEIGHT } from './networking/traffic/traffic-shift.ts';
export type * from './networking/traffic-policy.ts';
export type * from './networking/virtual-destination/fields.ts';
export {
  defaultLocalizedOutlierDetection,
  type FailoverDirective,
  type Locality,
  type LocalizedFailover,
  type LocalizedOutlierDetection,
} from './networking/virtual-destination/localized.ts';
export type * from './networking/virtual-destination/mesh-list.ts';
export type * from './networking/virtual-destination/port.ts';
export type * from './networking/virtual-destination/static.ts';
export type * from './networking/virtual-destination.ts';
export { MAX_SELECTED_DESTINATIONS } from './networking/virtual-destination.ts';
export {
  DEFAULT_HOSTNAME_SUFFIX,
  type Federation,
  type FederationMode,
  type FederationSelector,
} from './networking/virtual-mesh/federation.ts';
export type * from './networking/virtual-mesh/fields.ts';
export {
  DEFAULT_GLOBAL_ACCESS_POLICY,
  type GlobalAccessPolicy,
} from './networking/virtual-mesh/global-access-policy.ts';
export type * from './networking/virtual-mesh/mtls-config.ts';
export type * from './networking/virtual-mesh.ts';
export { KIND_FIELDS, type KindFields } from './registry/field-tables.ts';
export type { KindDefinition, PrinterColumn } from './registry/kind-definition.ts';
export { kinds } from './registry/kinds.ts';
export {
  apiVersionOf,
  definitionOf,
  groupOf,
  isMeshrelayApiVersion,
  kindOf,
  unknownKindMessage,
} from './registry/lookup.ts';
export { clusterPolicyKinds, policyKinds } from './registry/policy-kinds.ts';
export type { FieldTable, SpecField } from './schema/field.ts';
export type * from './shared/http.ts';
export type * from './shared/ref.ts';
export type * from './shared/selector.ts';
export type * from './shared/status.ts';
export {
  MAX_CONDITIONS,
  MAX_RELATED,
  MAX_STATUS_BYTES,
  MAX_STATUS_REPORTS,
  MAX_STATUS_TARGETS,
} from './shared/status.ts';
export type * from './shared/tcp-keepalive.ts';
export { formatDuration, parseGoDuration } from './text/duration.ts';
export { type FieldPath, formatFieldPath } from './text/field-path.ts';
export { nearest } from './text/nearest.ts';
export { shortList } from './text/short-list.ts';
