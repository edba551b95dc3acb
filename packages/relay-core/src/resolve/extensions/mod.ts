/** The access logs and Wasm filters of each workload. */
export { type Extensions, resolveExtensions } from './extensions.ts';
export type { KnownWorkload, WorkloadPolicies } from './workload-policies.ts';
export { selectsWorkload } from './workload-selectors.ts';
