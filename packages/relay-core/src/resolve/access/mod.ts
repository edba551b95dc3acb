/** The merged AccessPolicies of a Service. */
export {
  type AccessBasis,
  type AccessPlan,
  accessOf,
  peersOf,
  planAccess,
  type TrustBoundary,
  trustBoundaryOf,
} from './access.ts';
export { isolationPlans } from './isolation.ts';
export { type RejectionOf, rejections } from './refused-callers.ts';
