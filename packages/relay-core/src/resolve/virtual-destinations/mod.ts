/** The backends and callers of each VirtualDestination. */
export { consumerKey, type VirtualConsumer } from './consumers.ts';
export type { VirtualMember } from './member.ts';
export { gatewayHostnamesUnder, type VirtualPlan } from './plan.ts';
export { endpointsOf, isReachable } from './reachable.ts';
export { type VirtualRouteTarget, virtualRouteTarget } from './route-target.ts';
export { resolveVirtualDestinations, type VirtualDestinations } from './virtual-destinations.ts';
