/** The pure heart of Meshrelay: incremental graph, resolve, translate, output, and the mesh plugin contract. */
export * from './control-plane.ts';
export { type Discovery, discoverCluster, objectKey } from './discover/discovery.ts';
export type * from './graph/collection.ts';
export type {
  Change,
  ChangeSet,
  Collection,
  Explanation,
  Graph,
  Group,
  Index,
  ManyTransform,
  Matching,
  NodeCounters,
  NodeOptions,
  Pacing,
  Pair,
  Quarantine,
  Read,
  Source,
  Transaction,
  Transform,
} from './graph/collection.ts';
export { deepEqual } from './graph/deep-equal.ts';
export { GraphError, type GraphErrorCode } from './graph/errors.ts';
export { createGraph, createGraph, type GraphOptions } from './graph/graph.ts';
export { compareKeys, compareKeys, type Key, type Key, key, key, partsOf, partsOf } from './graph/key.ts';
export { canonicalJson, type Hasher } from './input/canonical.ts';
export * from './input/kubernetes.ts';
export { withoutNoise } from './input/noise.ts';
export * from './input/resource-kind.ts';
export { type Decisions, decide, takeUp, type Undecided } from './ledger/decisions.ts';
export { allocateVirtualIps } from './ledger/virtual-ips.ts';
export * from './output/ownership.ts';
export * from './plugin/capability.ts';
export * from './plugin/contract.ts';
export { type LoadedPlugin, loadPlugins, type PluginSource } from './plugin/registry.ts';
export type * from './plugin/views.ts';
export { uniqueNames } from './resolve/names.ts';
export type { Resolved } from './resolve/resolve.ts';
export type { ComputedStatus, JudgedPolicy, TimelessCondition } from './status/policy-status.ts';
export * from './store/world.ts';
export { type DesiredObject, desiredKey } from './translate/translate.ts';
