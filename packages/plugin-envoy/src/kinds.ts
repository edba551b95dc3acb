/** Kinds that the plugin reads and writes, and the labels of proxies. */
import type { ResourceKind } from '@meshrelay/plugin';

/** On pod templates, and so on pods, and on the Service of a gateway; its value is the role. */
export const ROLE_LABEL = 'mesh.meshrelay.dev/envoy';

/**
 * On pod templates: the loopback address on which proxy and application of the pod listen, for pods that share one
 * network.
 */
export const ADDRESS_LABEL = 'mesh.meshrelay.dev/envoy-address';

/** The role of an Envoy next to an application. */
export const SIDECAR = 'sidecar';
/** The role of an Envoy that admits requests of other clusters. */
export const GATEWAY = 'gateway';

/** Agents serve it to the Envoys of their cluster. */
export const XDS_CONFIG: ResourceKind = {
  group: 'agent.meshrelay.dev',
  version: 'v1alpha1',
  kind: 'XdsConfig',
  plural: 'xdsconfigs',
  namespaced: true,
};

/** The CA from which agents issue the identities of their Envoys. */
export const ISSUED_CERTIFICATE: ResourceKind = {
  group: 'certificates.meshrelay.dev',
  version: 'v1alpha1',
  kind: 'IssuedCertificate',
  plural: 'issuedcertificates',
  namespaced: true,
};
