/** The pure heart of Meshrelay: incremental graph, resolve, translate, output, and the mesh plugin contract. */
export type * from './graph/collection.ts';
export { deepEqual } from './graph/deep-equal.ts';
export { GraphError, type GraphErrorCode } from './graph/errors.ts';
export { createGraph, type GraphOptions } from './graph/graph.ts';
export { compareKeys, type Key, key, partsOf } from './graph/key.ts';
export * from './input/resource-kind.ts';
