/** What a mesh can carry of what views hold. Core strips and reports the rest, so that nothing is dropped in silence. */

/** Every field of a view that a policy can set, in the order the capability matrix prints them. */
export const VIEW_FIELDS = [
  'match.uri.exact',
  'match.uri.prefix',
  'match.uri.regex',
  'match.uri.suffix',
  'match.uri.ignoreCase',
  'match.headers',
  'match.queryParameters',
  'match.method',
  'source.labels',
  'source.namespaces',
  'source.clusters',
  'route.shift',
  'route.shift.subset',
  'route.shift.cluster',
  'route.shift.headers',
  'route.shift.virtualDestination',
  'route.timeout',
  'route.retries',
  'route.retries.retryOn',
  'route.retries.statusCodes',
  'route.retries.remoteLocalities',
  'route.fault',
  'route.cors',
  'route.mirror',
  'route.headers',
  'route.csrf',
  'route.localRateLimit',
  'route.localRateLimit.perDay',
  'route.localRateLimit.burstBelowRate',
  'connection.mtls',
  'connection.outlierDetection',
  'connection.pool',
  'connection.pool.tcpKeepalive',
  'connection.pool.idleTimeout',
  'access.allow',
  'access.deny',
  'access.audit',
  // Callers that are not named one by one: all of a namespace, and all of a trust domain, as of a cluster or of the whole mesh.
  'access.sources.namespaces',
  'access.sources.trustDomains',
  'access.paths',
  'access.methods',
  'access.ports',
  'access.exclusions',
  'access.unauthenticated',
  'virtualDestination.static',
  'virtualDestination.localized',
  'virtualDestination.localized.directives',
  'virtualDestination.sameHostname',
  'accessLog.requests',
  'accessLog.filters.status',
  'accessLog.filters.header',
  'accessLog.requestHeaders',
  'accessLog.responseHeaders',
  'accessLog.responseTrailers',
  'accessLog.filterState',
  'wasm.http',
  'wasm.image',
  'wasm.image.sha256',
  'wasm.configMap',
  'wasm.inbound',
  'wasm.outbound',
  'wasm.gateway',
  'wasm.ports',
  'wasm.phase',
  'wasm.failOpen',
  'mesh.federation.gateway',
  'mesh.federation.flatNetwork',
  'mesh.federation.tcpKeepalive',
  'mesh.globalAccess',
  'mesh.strictMtls',
  'mesh.trust.shared',
  'mesh.trust.limited',
] as const;

/** The name of one such field. */
export type ViewField = (typeof VIEW_FIELDS)[number];

/**
 * How a mesh carries a field: as it is meant, in part (the note says which), or not at all (the reason says why). `always`: it does so by
 * itself and cannot do otherwise, so that there is nothing to write and nothing to tell.
 */
export type Capability =
  | 'native'
  | { readonly always: string }
  | { readonly degraded: string }
  | { readonly unsupported: string };

/** One entry for every field; the compiler refuses a table with a hole. */
export type CapabilityTable = Readonly<Record<ViewField, Capability>>;

/** Why a field cannot be carried, or undefined where it can. */
export function unsupportedReason(table: CapabilityTable, field: ViewField): string | undefined {
  const capability = table[field];
  return typeof capability === 'object' && 'unsupported' in capability ? capability.unsupported : undefined;
}

/** What is lost where a field is carried in part, or undefined. */
export function degradedNote(table: CapabilityTable, field: ViewField): string | undefined {
  const capability = table[field];
  return typeof capability === 'object' && 'degraded' in capability ? capability.degraded : undefined;
}

/** Whether a mesh carries a field, at least in part. One that no plugin speaks for carries nothing. */
export function carries(table: CapabilityTable | undefined, field: ViewField): boolean {
  return table !== undefined && unsupportedReason(table, field) === undefined;
}
