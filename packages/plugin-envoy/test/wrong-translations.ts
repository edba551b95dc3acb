/** Mistakes in this plugin that the conformance kit must catch: one value, one field or one condition each. */
import type { WrongPlugin } from '@meshrelay/testing/wrong-plugins';

const SRC = 'packages/plugin-envoy/src';
const T = `${SRC}/translate`;

type Change = readonly [find: string, put: string];

function wrong(name: string, file: string, [find, put]: Change, caughtBy?: string): WrongPlugin {
  return { name, file, find, put, ...(caughtBy === undefined ? {} : { caughtBy }) };
}

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: texts of source files
export const WRONG_TRANSLATIONS: readonly WrongPlugin[] = [
  wrong('prefixes as exact paths', `${T}/route/match.ts`, [
    "{ case: 'prefix', value: uri.prefix }",
    "{ case: 'path', value: uri.prefix }",
  ]),
  wrong('a header is not x as the header is x', `${T}/route/match.ts`, [
    'invert ? { ...made, invertMatch: true, treatMissingHeaderAsEmpty: true } : made',
    'made',
  ]),
  wrong('a header is absent as the header is present', `${T}/route/match.ts`, ['      invertMatch: invert,\n', '']),
  wrong('query parameters present only', `${T}/route/match.ts`, [
    'regex ? expression(value) : exact(value) },',
    'exact(value) },',
  ]),
  wrong('suffixes in the middle', `${T}/messages.ts`, ['`.*${literal(suffix)}`', '`.*${literal(suffix)}.*`']),
  wrong('callers of any namespace', `${T}/route/match.ts`, [
    'sourceNamespace === undefined ? [] :',
    'sourceNamespace !== undefined ? [] :',
  ]),
  wrong('timeouts of one second', `${T}/traffic/request-timeout.ts`, ['duration(milliseconds)', 'duration(1000)']),
  wrong('one retry too many', `${T}/traffic/retries.ts`, ['numRetries: attempts,', 'numRetries: attempts + 1,']),
  wrong(
    'status codes not retried',
    `${T}/traffic/retries.ts`,
    ['[...conditions, codes] : conditions', 'conditions : conditions'],
    'capability route.retries.statusCodes',
  ),
  wrong('percentages of ten times', `${T}/messages.ts`, ['percent * 10_000', 'percent * 1_000']),
  wrong('mirrors all requests', `${T}/traffic/mirror.ts`, ['runtimeShare(percentage)', 'runtimeShare()']),
  wrong('equal weights', `${T}/traffic/traffic-shift.ts`, ['weight: target.weight,', 'weight: 1,']),
  wrong('weights of the other cluster', `${T}/traffic/traffic-shift.ts`, [
    'targets.map((target) => ({\n        name: clusterOfTarget(target),\n        weight: target.weight,',
    'targets.map((target, index) => ({\n        name: clusterOfTarget(target),\n        weight: (targets.at(-1 - index) ?? target).weight,',
  ]),
  wrong('shift without the subset', `${T}/route/target.ts`, [
    'clusterName(hostname, port, subset?.name)',
    'clusterName(hostname, port)',
  ]),
  wrong(
    'headers overwritten instead of added',
    `${T}/traffic/header-manipulation.ts`,
    ['APPEND_IF_EXISTS_OR_ADD)', 'OVERWRITE_IF_EXISTS_OR_ADD)'],
    'capability route.headers',
  ),
  wrong('CORS without credentials', `${T}/traffic/cors-policy.ts`, [
    '...(allowCredentials === undefined ? {} : { allowCredentials }),',
    '',
  ]),
  wrong('forged requests only evaluated', `${T}/traffic/csrf.ts`, [
    'runtimeShare(enabled ? percentage : 0)',
    'runtimeShare(shadow ? percentage : 0)',
  ]),
  wrong('rates per second', `${T}/traffic/local-rate-limit.ts`, ['duration(UNITS_MS[unit] ?? 1000)', 'duration(1000)']),
  wrong('the rate as the burst', `${T}/traffic/local-rate-limit.ts`, ['burst ?? requestsPerUnit', 'requestsPerUnit']),
  wrong('connections without a limit', `${T}/traffic/connection-pool.ts`, [
    '...(maxConnections === undefined ? {} : { maxConnections }),',
    '',
  ]),
  wrong(
    'keepalive in milliseconds',
    `${T}/traffic/connection-pool.ts`,
    ['Math.round(ms / 1000)', 'Math.round(ms)'],
    'capability connection.pool.tcpKeepalive',
  ),
  wrong('ejection of any share of endpoints', `${T}/traffic/outlier-detection.ts`, [
    'maxEjectionPercent: view.maxEjectionPercent',
    'maxEjectionPercent: 100',
  ]),
  wrong(
    'denied callers are allowed',
    `${T}/access/rules.ts`,
    ['deny: filterRules(rbac.RBAC_Action.DENY, deny)', 'deny: filterRules(rbac.RBAC_Action.ALLOW, deny)'],
    'capability access.deny',
  ),
  wrong(
    'audits are enforced',
    `${T}/access/filters.ts`,
    ["[filter('meshrelay.audit', { shadowRules: audit,", "[filter('meshrelay.audit', { rules: audit,"],
    'capability access.audit',
  ),
  wrong('excluded paths are the only ones', `${T}/access/not-paths.ts`, ['noneOf(', 'oneOf(']),
  wrong('paths that begin alike as whole paths', `${T}/access/permission.ts`, [
    "case: 'prefix', value: text.slice(0, -1)",
    "case: 'exact', value: text.slice(0, -1)",
  ]),
  wrong(
    'whole trust domains as one name',
    `${T}/access/source-selector.ts`,
    ["case: 'prefix', value: uri.slice(0, -1)", "case: 'exact', value: uri.slice(0, -1)"],
    'capability access.sources.trustDomains',
  ),
  wrong('only the first caller', `${T}/access/source-selector.ts`, [
    'sources.principals.map(',
    'sources.principals.slice(0, 1).map(',
  ]),
  wrong('endpoints without a locality', `${T}/endpoints/assignment.ts`, [
    '...(place.locality === undefined ? {} : { locality: localityOf(place.locality) }),',
    '',
  ]),
  wrong('endpoints without labels', `${T}/endpoints/assignment.ts`, [
    'Object.keys(labels).length === 0',
    'Object.keys(labels).length >= 0',
  ]),
  wrong('servers of any identity', `${T}/cluster/tls.ts`, [
    'matchTypedSubjectAltNames: identities.map(',
    'matchTypedSubjectAltNames: identities.slice(1).map(',
  ]),
  wrong('the best backend only', `${T}/virtual-destination.ts`, [
    "failover.kind === 'static' ? groups :",
    "failover.kind === 'static' ? groups.slice(0, 1) :",
  ]),
  wrong(
    'mutual TLS never strict',
    `${T}/listener/inbound.ts`,
    ['view.strictMtls ? [] :', 'view.strictMtls ? plainChains(port, view) :'],
    'capability mesh.strictMtls',
  ),
  wrong(
    'requests admitted without a rule',
    `${T}/listener/inbound.ts`,
    ["closed: globalAccess === 'ENABLED'", "closed: globalAccess === 'DISABLED'"],
    'capability mesh.globalAccess',
  ),
  wrong(
    'modules never fail open',
    `${T}/wasm/failure-policy.ts`,
    ['failOpen ? wasm.FailurePolicy.FAIL_OPEN : wasm.FailurePolicy.FAIL_CLOSED', 'wasm.FailurePolicy.FAIL_CLOSED'],
    'capability wasm.failOpen',
  ),
  wrong(
    'another trust domain',
    `${SRC}/discover/discover.ts`,
    ['trustDomain: settings.trustDomain', 'trustDomain: settings.namespace'],
    "property: the fixture's mesh",
  ),
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: texts of source files
