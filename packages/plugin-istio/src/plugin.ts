/** The Istio plugin. */
import { CONFIG_MAP, defineMeshPlugin, type MeshPlugin, NAMESPACE } from '@meshrelay/plugin';
import { CAPABILITIES } from './capabilities.ts';
import { discover } from './discover/discover.ts';
import { ENVOY_FILTER, PEER_AUTHENTICATION, SIDECAR, WORKLOAD_ENTRY, WRITES } from './kinds.ts';
import { MESH_CONFIG_CONSENT, PATCHES } from './mesh-config.ts';
import { objectConflicts } from './object-conflicts/object-conflicts.ts';
import { rootNamespace } from './root-namespace.ts';
import { type IstioSettings, settingsSchema } from './settings.ts';
import { translateMeshExtensions } from './translate/access-log/providers.ts';
import { translateDestination } from './translate/destination.ts';
import { translateEndpoints } from './translate/endpoints.ts';
import { translateFederatedDestination } from './translate/federated-destination.ts';
import { reportsByDefault } from './translate/inbound-mtls.ts';
import { translateMesh } from './translate/mesh.ts';
import { concernsMesh } from './translate/users-objects.ts';
import { translateVirtualDestination } from './translate/virtual-destination/virtual-destination.ts';
import { translateWorkloadExtensions } from './translate/workload-extensions.ts';
import { seenByAll } from './visibility.ts';

/** The plugin that a host imports. */
const istio: MeshPlugin<IstioSettings> = defineMeshPlugin<IstioSettings>({
  name: 'istio',
  contract: 1,
  watches: [CONFIG_MAP, NAMESPACE],
  writes: WRITES,
  reads: [SIDECAR, WORKLOAD_ENTRY, ENVOY_FILTER],
  concernsMesh,
  servicesWithoutPods: 'routed',
  inboundRules: {
    isOne: ({ kind }) => kind === PEER_AUTHENTICATION.kind,
    namespacesFor: ({ namespace, mesh }) => [namespace, rootNamespace(mesh)],
    reportsByDefault,
  },
  patches: PATCHES,
  callerTrust: {
    refuses: ({ trustDomainAliases }, trustDomain) => !trustDomainAliases.includes(trustDomain),
    consent: MESH_CONFIG_CONSENT,
  },
  capabilities: CAPABILITIES,
  settings: settingsSchema,
  gatewayDefaults: { labels: { istio: 'ingressgateway' }, portName: 'tls' },
  objectConflicts,
  discover,
  translateDestination,
  translateFederatedDestination: (view, out) => translateFederatedDestination(view, seenByAll(out, view.consumer)),
  translateEndpoints: (view, out) => translateEndpoints(view, seenByAll(out, view.consumer)),
  translateVirtualDestination: (view, out) => translateVirtualDestination(view, seenByAll(out, view.consumer)),
  translateMesh,
  translateWorkloadExtensions,
  translateMeshExtensions,
});

export default istio;
