/** Istio for Meshrelay. */
import { CONFIG_MAP, defineMeshPlugin, type MeshPlugin, NAMESPACE } from '@meshrelay/relay-core';
import { CAPABILITIES } from './capabilities.ts';
import { discover } from './discover/discover.ts';
import { SIDECAR, WRITES } from './kinds.ts';
import { PATCHES } from './mesh-config.ts';
import { rivalry } from './rivalry/rivalry.ts';
import { translateDestination } from './translate/destination.ts';
import { translateEndpoints } from './translate/endpoints.ts';
import { translateMesh } from './translate/mesh.ts';
import { translateReach } from './translate/reach.ts';
import { concernsMesh } from './translate/users-objects.ts';
import { translateVirtualDestination } from './translate/virtual-destination/virtual-destination.ts';

/** The plugin: what a host imports. */
const istio: MeshPlugin<unknown> = defineMeshPlugin<unknown>({
  name: 'istio',
  contract: 1,
  watches: [CONFIG_MAP, NAMESPACE],
  writes: WRITES,
  reads: [SIDECAR],
  concernsMesh,
  patches: PATCHES,
  capabilities: CAPABILITIES,
  gatewayDefaults: { labels: { istio: 'ingressgateway' }, portName: 'tls' },
  rivalry,
  discover,
  translateDestination,
  translateReach,
  translateEndpoints,
  translateVirtualDestination,
  translateMesh,
});

export default istio;
