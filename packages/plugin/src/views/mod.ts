/**
 * The input of a plugin's translation: core resolves all semantics once, in mesh-neutral terms. Plugins map views to
 * their mesh's own objects and decide nothing about selectors, precedence, conflicts, federation or trust.
 */
export type * from './access.ts';
export type * from './access-log.ts';
export type * from './actions.ts';
export type * from './connection.ts';
export type * from './destination.ts';
export type * from './endpoint.ts';
export type * from './extensions.ts';
export type * from './facts.ts';
export type * from './failover.ts';
export type * from './federated-destination.ts';
export type * from './headers.ts';
export type * from './inbound.ts';
export type * from './local-endpoints.ts';
export type * from './locality.ts';
export type * from './match.ts';
export type * from './mesh.ts';
export type * from './route.ts';
export type * from './route-target.ts';
export type * from './sourced.ts';
export type * from './string-match.ts';
export type * from './subset.ts';
export type * from './virtual-destination.ts';
export type * from './wasm.ts';
export type * from './workload.ts';
