/** What is read and written, and what proxies are known by. */
import type { ResourceKind } from '@meshrelay/relay-core';

/** On pod templates, and so on pods, and on the Service of a gateway; its value is the role. */
export const ROLE_LABEL = 'mesh.meshrelay.dev/envoy';

/** On pod templates: the loopback address that proxy and application of the pod listen on, where pods share one network. */
export const ADDRESS_LABEL = 'mesh.meshrelay.dev/envoy-address';

/** The role of an Envoy beside an application. */
export const SIDECAR = 'sidecar';
/** The role of an Envoy that lets requests of other clusters in. */
export const GATEWAY = 'gateway';

/** Agents serve it to the Envoys of their cluster. */
export const XDS_CONFIG: ResourceKind = {
  group: 'agent.meshrelay.dev',
  version: 'v1alpha1',
  kind: 'XdsConfig',
  plural: 'xdsconfigs',
  namespaced: true,
};

/** The CA that agents issue the identities of their Envoys from. */
export const ISSUED_CERTIFICATE: ResourceKind = {
  group: 'certificates.meshrelay.dev',
  version: 'v1alpha1',
  kind: 'IssuedCertificate',
  plural: 'issuedcertificates',
  namespaced: true,
};
