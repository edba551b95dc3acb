/** The gateways of each mesh and their addresses. */
export { defaultGateways } from './default-gateways.ts';
export { guardGateways } from './gateway-addresses.ts';
export { NO_GATEWAYS, placesOf } from './gateway-locations.ts';
export { type MeshGateways, resolveGateways } from './gateways.ts';
export { type IngressGateways, means, openGatewayDiagnostics, resolveIngressGateways } from './ingress-gateways.ts';
