/** Plain Envoy for Meshrelay. */
import { defineMeshPlugin, type MeshPlugin } from '@meshrelay/relay-core';
import { CAPABILITIES } from './capabilities.ts';
import { discover } from './discover/discover.ts';
import { GATEWAY, ROLE_LABEL, XDS_CONFIG } from './kinds.ts';
import { type EnvoySettings, settingsSchema } from './settings.ts';
import { translateDestination } from './translate/destination.ts';
import { translateEndpoints } from './translate/endpoints.ts';
import { translateLocalEndpoints } from './translate/local-endpoints.ts';
import { translateReach } from './translate/reach.ts';
import { translateVirtualDestination } from './translate/virtual-destination.ts';
import { translateWorkload } from './translate/workload.ts';

/** The plugin: what a host imports. */
const envoy: MeshPlugin<EnvoySettings> = defineMeshPlugin<EnvoySettings>({
  name: 'envoy',
  contract: 1,
  watches: [],
  writes: [XDS_CONFIG],
  capabilities: CAPABILITIES,
  settings: settingsSchema,
  gatewayDefaults: { labels: { [ROLE_LABEL]: GATEWAY }, portName: 'tls' },
  describesAll: true,
  discover,
  translateDestination,
  translateReach,
  translateEndpoints,
  translateVirtualDestination,
  translateLocalEndpoints,
  translateWorkload,
});

export default envoy;
