/** The merged policies and routes of all Services, for all meshes that call them. */
export { EMPTY_PLAN, type Plans, planPolicies, subsetsForCluster } from './plans.ts';
export { type RouteSets, routeSets } from './route-sets.ts';
export { type MeshOfTargets, routingMesh } from './services-without-pods.ts';
