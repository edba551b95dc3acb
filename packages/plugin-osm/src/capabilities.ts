/**
 * The view fields that OSM supports. If it supports only some values of a field, the translation reports the others.
 */
import type { CapabilityTable } from '@meshrelay/relay-core';
import { TRAFFIC_CAPABILITIES } from './translate/traffic/mod.ts';
import { ONE_CLUSTER } from './translate/unsupported.ts';

const MATCH = { unsupported: 'OSM applies settings to all requests for a Service, not to some' };
const SOURCE = { unsupported: 'OSM applies settings to all callers of a Service, not to some' };
const ONLY_ALLOW = { unsupported: 'TrafficTargets only allow; requests that no TrafficTarget allows are denied' };
const UNNAMED = {
  unsupported:
    'TrafficTargets list ServiceAccounts one by one, so only listed ones are allowed; select ServiceAccounts with kubeServiceAccountRefs',
};
const OWN_ROOT = { unsupported: 'OSM has its own root of trust, which no other mesh can share' };
const ACCESS_LOG = {
  unsupported: 'proxies of OSM write access logs to standard output, and OSM has no API to change that',
};
const WASM = { unsupported: 'OSM has no API for WebAssembly modules' };

export const CAPABILITIES: CapabilityTable = {
  'match.uri.exact': MATCH,
  'match.uri.prefix': MATCH,
  'match.uri.regex': MATCH,
  'match.uri.suffix': MATCH,
  'match.uri.ignoreCase': MATCH,
  'match.headers': MATCH,
  'match.queryParameters': MATCH,
  'match.method': MATCH,
  'source.labels': SOURCE,
  'source.namespaces': SOURCE,
  'source.clusters': { always: 'OSM only knows callers of its own cluster' },
  ...TRAFFIC_CAPABILITIES,
  'access.allow': 'native',
  'access.deny': ONLY_ALLOW,
  'access.audit': ONLY_ALLOW,
  'access.sources.namespaces': UNNAMED,
  'access.sources.trustDomains': UNNAMED,
  'access.paths': 'native',
  'access.methods': 'native',
  'access.ports': 'native',
  'access.exclusions': ONLY_ALLOW,
  'access.unauthenticated': {
    unsupported: 'TrafficTargets allow ServiceAccounts, so they cannot allow a caller without one',
  },
  'virtualDestination.static': ONE_CLUSTER,
  'virtualDestination.localized': ONE_CLUSTER,
  'virtualDestination.localized.directives': ONE_CLUSTER,
  'virtualDestination.sameHostname': ONE_CLUSTER,
  'accessLog.requests': ACCESS_LOG,
  'accessLog.filters.status': ACCESS_LOG,
  'accessLog.filters.header': ACCESS_LOG,
  'accessLog.requestHeaders': ACCESS_LOG,
  'accessLog.responseHeaders': ACCESS_LOG,
  'accessLog.responseTrailers': ACCESS_LOG,
  'accessLog.filterState': ACCESS_LOG,
  'wasm.http': WASM,
  'wasm.image': WASM,
  'wasm.image.sha256': WASM,
  'wasm.configMap': WASM,
  'wasm.inbound': WASM,
  'wasm.outbound': WASM,
  'wasm.gateway': WASM,
  'wasm.ports': WASM,
  'wasm.phase': WASM,
  'wasm.failOpen': WASM,
  'mesh.federation.gateway': ONE_CLUSTER,
  'mesh.federation.flatNetwork': ONE_CLUSTER,
  'mesh.federation.tcpKeepalive': ONE_CLUSTER,
  // By a field of the user's MeshConfig, if Settings permits it.
  'mesh.globalAccess': 'native',
  'mesh.strictMtls': { always: 'a proxy of OSM accepts nothing but mutual TLS from the mesh' },
  'mesh.trust.shared': OWN_ROOT,
  'mesh.trust.limited': OWN_ROOT,
};
