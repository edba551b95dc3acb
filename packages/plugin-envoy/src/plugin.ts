/** The plain Envoy plugin. */
import { ACCESS_LOG_CONFIG, CONFIG_MAP, defineMeshPlugin, type MeshPlugin } from '@meshrelay/plugin';
import { CAPABILITIES } from './capabilities.ts';
import { discover } from './discover/discover.ts';
import { GATEWAY, ISSUED_CERTIFICATE, ROLE_LABEL, XDS_CONFIG } from './kinds.ts';
import { type EnvoySettings, settingsSchema } from './settings.ts';
import { translateDestination } from './translate/destination.ts';
import { translateEndpoints } from './translate/endpoints.ts';
import { translateFederatedDestination } from './translate/federated-destination.ts';
import { translateLocalEndpoints } from './translate/local-endpoints.ts';
import { translateMesh } from './translate/mesh.ts';
import { translateVirtualDestination } from './translate/virtual-destination.ts';
import { translateWorkload } from './translate/workload.ts';
import { translateWorkloadExtensions } from './translate/workload-extensions.ts';

/** The plugin that a host imports. */
const envoy: MeshPlugin<EnvoySettings> = defineMeshPlugin<EnvoySettings>({
  name: 'envoy',
  contract: 1,
  watches: [CONFIG_MAP],
  // Identities of proxies come before the configuration that needs them.
  writes: [ISSUED_CERTIFICATE, XDS_CONFIG, ACCESS_LOG_CONFIG],
  capabilities: CAPABILITIES,
  settings: settingsSchema,
  gatewayDefaults: { labels: { [ROLE_LABEL]: GATEWAY }, portName: 'tls' },
  configuresProxies: true,
  discover,
  translateDestination,
  translateFederatedDestination,
  translateEndpoints,
  translateVirtualDestination,
  translateLocalEndpoints,
  translateMesh,
  translateWorkload,
  translateWorkloadExtensions,
});

export default envoy;
