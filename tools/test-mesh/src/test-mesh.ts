/**
 * A mesh with Istio's kinds that translates only timeouts and federation. Tests of the programs therefore depend on no
 * real mesh plugin.
 */
import {
  ACCESS_LOG_CONFIG,
  apiVersionOf,
  type CapabilityTable,
  CONFIG_MAP,
  defineMeshPlugin,
  type MeshPlugin,
  type NativeObject,
  type ResourceKind,
  VIEW_FIELDS,
} from '@meshrelay/plugin';
import { type LoadedPlugin, loadPlugins } from '@meshrelay/relay-core';

const kind = (group: string, name: string, plural: string, version = 'v1'): ResourceKind => ({
  group,
  version,
  kind: name,
  plural,
  namespaced: true,
});

const SERVICE_ENTRY = kind('networking.istio.io', 'ServiceEntry', 'serviceentries');
const VIRTUAL_SERVICE = kind('networking.istio.io', 'VirtualService', 'virtualservices');

const WRITES: readonly ResourceKind[] = [
  kind('networking.istio.io', 'Gateway', 'gateways'),
  SERVICE_ENTRY,
  kind('networking.istio.io', 'DestinationRule', 'destinationrules'),
  VIRTUAL_SERVICE,
  kind('security.istio.io', 'AuthorizationPolicy', 'authorizationpolicies'),
  kind('security.istio.io', 'PeerAuthentication', 'peerauthentications'),
  kind('extensions.istio.io', 'WasmPlugin', 'wasmplugins', 'v1alpha1'),
  kind('telemetry.istio.io', 'Telemetry', 'telemetries'),
  kind('certificates.meshrelay.dev', 'IssuedCertificate', 'issuedcertificates', 'v1alpha1'),
  ACCESS_LOG_CONFIG,
];

/** Supports everything, so no policy gets a report because of the mesh. */
const capabilities = Object.fromEntries(VIEW_FIELDS.map((field) => [field, 'native'])) as unknown as CapabilityTable;

function object(
  of: ResourceKind,
  namespace: string,
  name: string,
  spec: Readonly<Record<string, unknown>>,
): NativeObject {
  return { apiVersion: apiVersionOf(of), kind: of.kind, metadata: { name: `meshrelay-${name}`, namespace }, spec };
}

/** Discovers no mesh itself: its tests push Mesh, Workload and Destination objects of type `istio`. */
export const testMesh: MeshPlugin = defineMeshPlugin({
  name: 'istio',
  contract: 1,
  watches: [CONFIG_MAP],
  writes: WRITES,
  patches: [
    {
      kind: CONFIG_MAP,
      names: ['istio', 'istio-*'],
      fieldPaths: ['data.mesh:yaml/trustDomainAliases'],
      consent: 'spec.patches.istio.meshConfig',
    },
  ],
  capabilities,
  gatewayDefaults: { labels: { istio: 'ingressgateway' }, portName: 'tls' },
  discover: () => undefined,
  translateDestination({ destination: { cluster, namespace, name }, routes }, out) {
    const timeout = routes.find(({ actions }) => actions.timeoutMs !== undefined)?.actions.timeoutMs;
    if (timeout === undefined) return;
    const spec = { hosts: [name], http: [{ timeout: `${timeout.value}ms` }] };
    out.emit(cluster, object(VIRTUAL_SERVICE, namespace, name, spec), timeout.from);
  },
  translateFederatedDestination({ consumer, destination: { cluster, namespace, name }, virtualMesh }, out) {
    const spec = { hosts: [`${name}.${namespace}.${cluster}`] };
    out.emit(consumer.cluster, object(SERVICE_ENTRY, namespace, `${name}-${cluster}`, spec), [virtualMesh]);
  },
});

/** The plugin as the server and the agent load it. */
export const TEST_PLUGINS: readonly LoadedPlugin[] = loadPlugins([{ module: 'test-mesh', plugin: testMesh }]);
