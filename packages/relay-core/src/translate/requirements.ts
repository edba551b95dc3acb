/** Which fields of a mesh's capability table a part of a view needs, and the field of the policy that asked for it. */
import type { ViewField } from '../plugin/capability.ts';
import { rememberedUntilRest } from '../plugin/remembered.ts';
import type {
  AccessLogRuleView,
  AccessRuleView,
  RouteActions,
  RouteMatchView,
  VirtualDestinationView,
  WasmFilterView,
} from '../plugin/views/mod.ts';

/** The field of the policy, for reports. */
export const POLICY_FIELDS: Readonly<Record<ViewField, string>> = {
  'match.uri.exact': 'spec.httpRequestMatchers',
  'match.uri.prefix': 'spec.httpRequestMatchers',
  'match.uri.regex': 'spec.httpRequestMatchers',
  'match.uri.suffix': 'spec.httpRequestMatchers',
  'match.uri.ignoreCase': 'spec.httpRequestMatchers',
  'match.headers': 'spec.httpRequestMatchers',
  'match.queryParameters': 'spec.httpRequestMatchers',
  'match.method': 'spec.httpRequestMatchers',
  'source.labels': 'spec.sourceSelector',
  'source.namespaces': 'spec.sourceSelector',
  'source.clusters': 'spec.sourceSelector',
  'route.shift': 'spec.policy.trafficShift',
  'route.shift.subset': 'spec.policy.trafficShift',
  'route.shift.cluster': 'spec.policy.trafficShift',
  'route.shift.headers': 'spec.policy.trafficShift',
  'route.shift.virtualDestination': 'spec.policy.trafficShift',
  'route.timeout': 'spec.policy.requestTimeout',
  'route.retries': 'spec.policy.retries',
  'route.retries.retryOn': 'spec.policy.retries.retryOn',
  'route.retries.statusCodes': 'spec.policy.retries.retryOn',
  'route.retries.remoteLocalities': 'spec.policy.retries.retryRemoteLocalities',
  'route.fault': 'spec.policy.faultInjection',
  'route.cors': 'spec.policy.corsPolicy',
  'route.mirror': 'spec.policy.mirror',
  'route.headers': 'spec.policy.headerManipulation',
  'route.csrf': 'spec.policy.csrf',
  'route.localRateLimit': 'spec.policy.localRateLimit',
  'route.localRateLimit.perDay': 'spec.policy.localRateLimit.unit',
  'route.localRateLimit.burstBelowRate': 'spec.policy.localRateLimit.burst',
  'connection.mtls': 'spec.policy.mtls',
  'connection.outlierDetection': 'spec.policy.outlierDetection',
  'connection.pool': 'spec.policy.connectionPool',
  'connection.pool.tcpKeepalive': 'spec.policy.connectionPool.tcp.tcpKeepalive',
  'connection.pool.idleTimeout': 'spec.policy.connectionPool.http.idleTimeout',
  'access.allow': 'spec.action',
  'access.deny': 'spec.action',
  'access.audit': 'spec.action',
  'access.sources.namespaces': 'spec.sourceSelector',
  'access.sources.trustDomains': 'spec.sourceSelector',
  'access.paths': 'spec.allowedPaths',
  'access.methods': 'spec.allowedMethods',
  'access.ports': 'spec.allowedPorts',
  'access.exclusions': 'spec.notPaths',
  'access.unauthenticated': 'spec.unauthenticated',
  'virtualDestination.static': 'spec.static',
  'virtualDestination.localized': 'spec.localized',
  'virtualDestination.localized.directives': 'spec.localized.failoverDirectives',
  'virtualDestination.sameHostname': 'spec.hostname',
  'accessLog.requests': 'spec',
  'accessLog.filters.status': 'spec.filters',
  'accessLog.filters.header': 'spec.filters',
  'accessLog.requestHeaders': 'spec.includedRequestHeaders',
  'accessLog.responseHeaders': 'spec.includedResponseHeaders',
  'accessLog.responseTrailers': 'spec.includedResponseTrailers',
  'accessLog.filterState': 'spec.includedFilterStateObjects',
  'wasm.http': 'spec.filters.httpUriSource',
  'wasm.image': 'spec.filters.wasmImageSource',
  'wasm.image.sha256': 'spec.filters.wasmImageSource.sha256',
  'wasm.configMap': 'spec.filters.configMapSource',
  'wasm.inbound': 'spec.filters.filterContext',
  'wasm.outbound': 'spec.filters.filterContext',
  'wasm.gateway': 'spec.filters.filterContext',
  'wasm.ports': 'spec.filters.ports',
  'wasm.phase': 'spec.filters.phase',
  'wasm.failOpen': 'spec.filters.failurePolicy',
  'mesh.federation.gateway': 'spec.federation',
  'mesh.federation.flatNetwork': 'spec.federation.flatNetwork',
  'mesh.federation.tcpKeepalive': 'spec.federation.tcpKeepalive',
  'mesh.globalAccess': 'spec.globalAccessPolicy',
  'mesh.strictMtls': 'spec.mtlsConfig.strict',
  'mesh.trust.shared': 'spec.mtlsConfig.shared',
  'mesh.trust.limited': 'spec.mtlsConfig.limited',
};

/** What a match needs. A route whose match cannot be carried is left out: without a part of it, it would take other requests too. */
export const matchRequirements: (match: RouteMatchView) => readonly ViewField[] = rememberedUntilRest((match) => {
  const { uri, headers, queryParameters, method, sourceLabels, sourceNamespace } = match;
  const fields: ViewField[] = [];
  if (uri !== undefined) {
    if ('exact' in uri) fields.push('match.uri.exact');
    else if ('prefix' in uri) fields.push('match.uri.prefix');
    else if ('regex' in uri) fields.push('match.uri.regex');
    else fields.push('match.uri.suffix');
    if (uri.ignoreCase) fields.push('match.uri.ignoreCase');
  }
  if (headers.length > 0) fields.push('match.headers');
  if (queryParameters.length > 0) fields.push('match.queryParameters');
  if (method !== undefined) fields.push('match.method');
  if (sourceLabels !== undefined) fields.push('source.labels');
  if (sourceNamespace !== undefined) fields.push('source.namespaces');
  return fields;
});

/** What one action of a route needs at least. */
export function actionRequirements(name: keyof RouteActions, actions: RouteActions): ViewField[] {
  switch (name) {
    case 'timeoutMs':
      return ['route.timeout'];
    case 'retries':
      return actions.retries?.value.retryOn === undefined
        ? ['route.retries']
        : ['route.retries', 'route.retries.retryOn'];
    case 'shift': {
      const targets = actions.shift?.value ?? [];
      return [
        'route.shift',
        ...(targets.some(({ subset }) => subset !== undefined) ? (['route.shift.subset'] as const) : []),
        ...(targets.some(({ headers }) => headers !== undefined) ? (['route.shift.headers'] as const) : []),
        ...(targets.some(({ remote }) => remote) ? (['route.shift.cluster'] as const) : []),
        ...(targets.some(({ virtual }) => virtual === true) ? (['route.shift.virtualDestination'] as const) : []),
      ];
    }
    case 'fault':
    case 'cors':
    case 'mirror':
    case 'headers':
    case 'csrf':
      return [`route.${name}`];
    case 'localRateLimit':
      return actions.localRateLimit?.value.unit === 'DAY'
        ? ['route.localRateLimit', 'route.localRateLimit.perDay']
        : ['route.localRateLimit'];
  }
}

/** What a virtual destination needs. One that cannot be carried is left out whole. */
export function virtualDestinationRequirements({ failover, sameHostname }: VirtualDestinationView): ViewField[] {
  return [
    `virtualDestination.${failover.kind}`,
    ...(sameHostname === undefined ? [] : (['virtualDestination.sameHostname'] as const)),
  ];
}

/** What a rule needs. A rule that cannot be carried is not carried in part: without a part of it, it would let in or refuse others too. */
export const ruleRequirements: (rule: AccessRuleView) => readonly ViewField[] = rememberedUntilRest((rule) => {
  const fields: ViewField[] = [`access.${rule.action.toLowerCase() as 'allow' | 'deny' | 'audit'}`];
  if (rule.paths.length > 0) fields.push('access.paths');
  if (rule.methods.length > 0) fields.push('access.methods');
  if (rule.ports.length > 0) fields.push('access.ports');
  if (exclusionsOf(rule).length > 0) fields.push('access.exclusions');
  if (rule.sources.kind === 'anyone') fields.push('access.unauthenticated');
  return fields;
});

/** The fields in which an AccessPolicy excludes requests. */
export function exclusionsOf(rule: AccessRuleView): readonly string[] {
  const fields = ['notPaths', 'notMethods', 'notPorts'] as const;
  return fields.filter((field) => rule[field].length > 0).map((field) => `spec.${field}`);
}

/** What a caller of a rule needs: nothing where it is one by name. */
export function sourceRequirements(principal: string): readonly ViewField[] {
  if (!principal.endsWith('*')) return [];
  return principal.includes('/ns/') ? ['access.sources.namespaces'] : ['access.sources.trustDomains'];
}

/** What a wish for entries needs at least: without one of its filters it would not ask for the same. */
export const logRequirements: (rule: AccessLogRuleView) => readonly ViewField[] = rememberedUntilRest(({ filters }) => {
  const fields: ViewField[] = ['accessLog.requests'];
  if (filters.some((filter) => 'status' in filter)) fields.push('accessLog.filters.status');
  if (filters.some((filter) => 'header' in filter)) fields.push('accessLog.filters.header');
  return fields;
});

const CONTEXTS = {
  ANY: [],
  SIDECAR_INBOUND: ['wasm.inbound'],
  SIDECAR_OUTBOUND: ['wasm.outbound'],
  GATEWAY: ['wasm.gateway'],
} as const satisfies Readonly<Record<WasmFilterView['context'], readonly ViewField[]>>;

/** What a module needs. One that cannot be carried is not carried in part: it would see other requests, or be another module. */
export const wasmRequirements: (filter: WasmFilterView) => readonly ViewField[] = rememberedUntilRest((filter) => {
  const { source, context, ports, phase, failOpen } = filter;
  const fields: ViewField[] = [`wasm.${source.kind}`, ...CONTEXTS[context]];
  if (source.kind === 'image' && source.sha256 !== undefined) fields.push('wasm.image.sha256');
  if (ports.length > 0) fields.push('wasm.ports');
  if (phase !== undefined) fields.push('wasm.phase');
  if (failOpen) fields.push('wasm.failOpen');
  return fields;
});
