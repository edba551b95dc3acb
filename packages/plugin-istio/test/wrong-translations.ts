/** Mistakes in this plugin that the conformance kit must catch: one value, one field or one condition each. */
import type { WrongPlugin } from '@meshrelay/testing/wrong-plugins';

const SRC = 'packages/plugin-istio/src';
const T = `${SRC}/translate`;

type Change = readonly [find: string, put: string];

function wrong(name: string, file: string, [find, put]: Change, caughtBy?: string): WrongPlugin {
  return { name, file, find, put, ...(caughtBy === undefined ? {} : { caughtBy }) };
}

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: texts of source files
export const WRONG_TRANSLATIONS: readonly WrongPlugin[] = [
  // Matches.
  wrong('exact paths as prefixes', `${T}/route/match.ts`, ['{ exact: uri.exact }', '{ prefix: uri.exact }']),
  wrong('prefixes as exact paths', `${T}/route/match.ts`, ['{ prefix: uri.prefix }', '{ exact: uri.prefix }']),
  wrong('suffixes in the middle', `${T}/route/match.ts`, [
    '`.*${literal(uri.suffix)}`',
    '`.*${literal(uri.suffix)}.*`',
  ]),
  wrong('prefixes never ignore case', `${T}/route/match.ts`, [
    '{ prefix: uri.prefix }, ignoreUriCase: uri.ignoreCase || undefined',
    '{ prefix: uri.prefix }',
  ]),
  wrong('regular expressions never ignore case', `${T}/route/match.ts`, [
    'uri.ignoreCase ? `(?i)${regex}` : regex',
    'regex',
  ]),
  wrong('a header is not x as the header is absent', `${T}/route/match.ts`, [
    'withoutHeaders: namedValues(without.map(lowerCase))',
    'withoutHeaders: namedValues(without.map(lowerCase).map(({ value: _, ...absent }) => absent))',
  ]),
  wrong('a header is not x as the header is x', `${T}/route/match.ts`, [
    'match.headers.filter(({ invert }) => !invert)',
    'match.headers',
  ]),
  wrong('regular expressions of headers as texts', `${T}/route/match.ts`, [
    'regex ? { regex: value } : { exact: value }',
    '{ exact: value }',
  ]),
  wrong('any method', `${T}/route/match.ts`, [
    'method: match.method === undefined ? undefined : { exact: match.method },',
    '',
  ]),
  wrong('any query parameters', `${T}/route/match.ts`, [
    'queryParams: namedValues(match.queryParameters, ANY_VALUE),',
    '',
  ]),
  wrong('callers of any labels', `${T}/route/match.ts`, ['sourceLabels: match.sourceLabels,', '']),
  wrong('callers of any namespace', `${T}/route/match.ts`, ['sourceNamespace: match.sourceNamespace,', '']),
  wrong('texts of regular expressions not escaped', `${T}/route/match.ts`, [
    "replace(/[\\\\^$.|?*+()[\\]{}]/g, '\\\\$&')",
    "replace(/[\\\\^$|?*+()[\\]{}]/g, '\\\\$&')",
  ]),
  // Routes.
  wrong('timeouts of ten times', `${T}/traffic/request-timeout.ts`, [
    'duration(milliseconds)',
    'duration(milliseconds * 10)',
  ]),
  wrong('one retry too many', `${T}/traffic/retries.ts`, [
    'return present({\n    attempts,',
    'return present({\n    attempts: attempts + 1,',
  ]),
  wrong('retries after other conditions', `${T}/traffic/retries.ts`, [
    "conditions?.join(',')",
    "conditions === undefined ? undefined : 'gateway-error'",
  ]),
  wrong('only the first retry condition', `${T}/traffic/retries.ts`, ["conditions?.join(',')", 'conditions?.[0]']),
  wrong('the timeout of a try as the backoff', `${T}/traffic/retries.ts`, [
    'backoffMs === undefined ? undefined : duration(backoffMs)',
    'backoffMs === undefined ? undefined : duration(perTryTimeoutMs ?? backoffMs)',
  ]),
  wrong('retries never in other localities', `${T}/traffic/retries.ts`, ['    retryRemoteLocalities,\n  });', '  });']),
  wrong('delays of no requests', `${T}/traffic/fault-injection.ts`, [
    'fixedDelay: duration(delayMs), percentage: percent(percentage)',
    'fixedDelay: duration(delayMs)',
  ]),
  wrong('aborts of all requests', `${T}/traffic/fault-injection.ts`, [
    'httpStatus: abortStatus, percentage: percent(percentage)',
    'httpStatus: abortStatus, percentage: percent()',
  ]),
  wrong('aborts with another status', `${T}/traffic/fault-injection.ts`, [
    'httpStatus: abortStatus,',
    'httpStatus: 503,',
  ]),
  wrong('a half of the mirrored requests', `${T}/traffic/mirror.ts`, [
    'percent(percentage)',
    'percent((percentage ?? 100) / 2)',
  ]),
  wrong(
    'request headers set instead of added',
    `${T}/traffic/header-manipulation.ts`,
    ['request: present({ add: escaped', 'request: present({ set: escaped'],
    'capability route.headers',
  ),
  wrong('response headers added to requests', `${T}/traffic/header-manipulation.ts`, [
    'add: escaped(view.requestAdd)',
    'add: escaped({ ...view.requestAdd, ...view.responseAdd })',
  ]),
  wrong('response headers not removed', `${T}/traffic/header-manipulation.ts`, [', remove: view.responseRemove', '']),
  wrong('CORS for any origin', `${T}/traffic/cors-policy.ts`, [
    'view.allowOrigins.map(stringMatch)',
    "[{ regex: '.*' }]",
  ]),
  wrong('CORS without credentials', `${T}/traffic/cors-policy.ts`, ['allowCredentials: view.allowCredentials,', '']),
  wrong('CORS exposes the allowed headers', `${T}/traffic/cors-policy.ts`, [
    'exposeHeaders: view.exposeHeaders',
    'exposeHeaders: view.allowHeaders',
  ]),
  wrong('origins with a prefix as exact origins', `${T}/route/string-match.ts`, [
    '{ prefix: match.prefix }',
    '{ exact: match.prefix }',
  ]),
  wrong('shift without the subset', `${T}/route/target.ts`, ['subset: target.subset?.name,', '']),
  wrong('shift to the port of the request', `${T}/route/target.ts`, [
    'target.onlyPort && target.port === cameTo ? undefined : { number: target.port }',
    'target.onlyPort ? undefined : { number: cameTo }',
  ]),
  wrong('shift includes targets of weight 0', `${T}/traffic/traffic-shift.ts`, [
    'weight: target.weight,',
    'weight: target.weight || 1,',
  ]),
  wrong('shift without headers of targets', `${T}/traffic/traffic-shift.ts`, [
    'headers: target.headers === undefined ? undefined : headers(target.headers),',
    '',
  ]),
  wrong('weights of the other target', `${T}/traffic/traffic-shift.ts`, [
    'targets.map((target) =>\n      present({\n        destination: destination(target, port),\n        weight: target.weight,',
    'targets.map((target, index) =>\n      present({\n        destination: destination(target, port),\n        weight: (targets.at(-1 - index) ?? target).weight,',
  ]),
  wrong('values of the other header', `${T}/traffic/header-manipulation.ts`, [
    'Object.entries(values).map(([name, value]) => [name, value.replaceAll',
    'Object.entries(values).map(([name], at, all) => [name, (all.at(-1 - at) ?? all[0])[1].replaceAll',
  ]),
  // Connections.
  wrong('outlier detection by another interval', `${T}/traffic/outlier-detection.ts`, [
    'duration(view.intervalMs)',
    'duration(view.baseEjectionTimeMs)',
  ]),
  wrong(
    'outlier detection of gateway errors only',
    `${T}/traffic/outlier-detection.ts`,
    ['consecutive5xxErrors:', 'consecutiveGatewayErrors:'],
    'capability connection.outlierDetection',
  ),
  wrong('requests limited by the limit of pending ones', `${T}/traffic/connection-pool.ts`, [
    'http2MaxRequests: view.http2MaxRequests',
    'http2MaxRequests: view.http1MaxPendingRequests',
  ]),
  wrong('keepalive without probes', `${T}/traffic/connection-pool.ts`, ['    probes,\n    time', '    time']),
  wrong(
    'mutual TLS as simple TLS',
    `${T}/traffic/mtls.ts`,
    ["MUTUAL: 'ISTIO_MUTUAL'", "MUTUAL: 'SIMPLE'"],
    'capability mesh.federation.gateway',
  ),
  wrong('plaintext as mutual TLS', `${T}/traffic/mtls.ts`, ["DISABLE: 'DISABLE'", "DISABLE: 'ISTIO_MUTUAL'"]),
  // Access.
  wrong('denied callers are allowed', `${T}/access/action.ts`, [
    "nameEnding: '.deny', action: 'DENY'",
    "nameEnding: '.deny', action: 'ALLOW'",
  ]),
  wrong('audited callers are allowed', `${T}/access/action.ts`, [", annotations: { 'istio.io/dry-run': 'true' }", '']),
  wrong('only the first caller', `${T}/access/source-selector.ts`, [
    'present({ principals: meant,',
    'present({ principals: meant.slice(0, 1),',
  ]),
  wrong('methods not limited', `${T}/access/allowed-methods.ts`, [
    '=> ({ methods })',
    '=> (methods.length === 0 ? {} : {})',
  ]),
  wrong('excluded methods are the only ones', `${T}/access/not-methods.ts`, [
    '=> ({ notMethods })',
    '=> ({ methods: notMethods })',
  ]),
  wrong('excluded ports are allowed', `${T}/access/not-ports.ts`, [
    '({ notPorts: notPorts.map(String) })',
    '(notPorts.length === 0 ? {} : {})',
  ]),
  wrong('ports not limited', `${T}/access/allowed-ports.ts`, [
    '({ ports: ports.map(String) })',
    '(ports.length === 0 ? {} : {})',
  ]),
  // Federation and virtual destinations.
  wrong(
    'servers of any identity',
    `${T}/endpoints.ts`,
    ['subjectAltNames: identities(destination),', ''],
    'capability mesh.federation.gateway',
  ),
  wrong('only the first endpoint', `${T}/endpoints.ts`, [
    'endpoints: endpoints.map(',
    'endpoints: endpoints.slice(0, 1).map(',
  ]),
  wrong('endpoints without a locality', `${T}/workload-entry.ts`, [
    'locality: locality === undefined ? undefined : localityText(locality),',
    '',
  ]),
  wrong(
    'endpoints without mutual TLS',
    `${T}/workload-entry.ts`,
    [", 'security.istio.io/tlsMode': 'istio'", ''],
    'capability mesh.federation.gateway',
  ),
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: texts of source files
