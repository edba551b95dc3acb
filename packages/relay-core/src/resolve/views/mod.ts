/** The views of all meshes: the input of plugins. */
export { destinationViews } from './destination-views.ts';
export { endpointsViews, federatedDestinationViews } from './federated-destination-views.ts';
export { inboundViews } from './inbound-views.ts';
export { localEndpointsViews } from './local-endpoints-views.ts';
export { meshViews } from './mesh-views.ts';
export { virtualDestinationViews } from './virtual-destination-views.ts';
export { workloadViews } from './workload-views.ts';
