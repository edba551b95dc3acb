/** The Istio kinds that Meshrelay reads or writes, in Istio's storage versions. */
import { ACCESS_LOG_CONFIG, apiVersionOf, type ResourceKind } from '@meshrelay/plugin';

const networking = (kind: string, plural: string): ResourceKind => ({
  group: 'networking.istio.io',
  version: 'v1',
  kind,
  plural,
  namespaced: true,
});
const security = (kind: string, plural: string): ResourceKind => ({
  group: 'security.istio.io',
  version: 'v1',
  kind,
  plural,
  namespaced: true,
});

export const VIRTUAL_SERVICE: ResourceKind = networking('VirtualService', 'virtualservices');
export const DESTINATION_RULE: ResourceKind = networking('DestinationRule', 'destinationrules');
export const SERVICE_ENTRY: ResourceKind = networking('ServiceEntry', 'serviceentries');
export const GATEWAY: ResourceKind = networking('Gateway', 'gateways');
export const AUTHORIZATION_POLICY: ResourceKind = security('AuthorizationPolicy', 'authorizationpolicies');
export const PEER_AUTHENTICATION: ResourceKind = security('PeerAuthentication', 'peerauthentications');

export const WASM_PLUGIN: ResourceKind = {
  group: 'extensions.istio.io',
  version: 'v1alpha1',
  kind: 'WasmPlugin',
  plural: 'wasmplugins',
  namespaced: true,
};

export const TELEMETRY: ResourceKind = {
  group: 'telemetry.istio.io',
  version: 'v1',
  kind: 'Telemetry',
  plural: 'telemetries',
  namespaced: true,
};

/** A Meshrelay kind: the agent gets the certificate signed, and writes the Secret that istiod reads. */
export const ISSUED_CERTIFICATE: ResourceKind = {
  group: 'certificates.meshrelay.dev',
  version: 'v1alpha1',
  kind: 'IssuedCertificate',
  plural: 'issuedcertificates',
  namespaced: true,
};

/** Read only: users limit with it which namespaces their proxies see. */
export const SIDECAR: ResourceKind = networking('Sidecar', 'sidecars');

/** Read only: workloads outside pods, which ServiceEntries select by labels. */
export const WORKLOAD_ENTRY: ResourceKind = networking('WorkloadEntry', 'workloadentries');

/** Read only: users change with it what proxies receive. */
export const ENVOY_FILTER: ResourceKind = {
  ...networking('EnvoyFilter', 'envoyfilters'),
  version: 'v1alpha3',
};

/** Everything that translation emits, in the order of applying: targets of routes before the routes. */
export const WRITES: readonly ResourceKind[] = [
  GATEWAY,
  SERVICE_ENTRY,
  DESTINATION_RULE,
  VIRTUAL_SERVICE,
  AUTHORIZATION_POLICY,
  PEER_AUTHENTICATION,
  WASM_PLUGIN,
  TELEMETRY,
  ISSUED_CERTIFICATE,
  ACCESS_LOG_CONFIG,
];

/** An object of one of these kinds. */
export function istioObject(
  kind: ResourceKind,
  namespace: string,
  name: string,
  spec: Readonly<Record<string, unknown>>,
): {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: Readonly<Record<string, unknown>>;
} {
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { name, namespace }, spec };
}
