/** Mistakes in this plugin that the conformance kit must catch: one value, one field or one condition each. */
import type { WrongPlugin } from '@meshrelay/testing/wrong-plugins';

const SRC = 'packages/plugin-osm/src';
const T = `${SRC}/translate`;

type Change = readonly [find: string, put: string];

function wrong(name: string, file: string, [find, put]: Change, caughtBy?: string): WrongPlugin {
  return { name, file, find, put, ...(caughtBy === undefined ? {} : { caughtBy }) };
}

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: texts of source files
export const WRONG_TRANSLATIONS: readonly WrongPlugin[] = [
  wrong('weights of one backend only', `${T}/traffic/traffic-shift.ts`, [
    '(weights.get(name) ?? 0) + target.weight',
    'targets[0]?.weight ?? 0',
  ]),
  wrong('equal weights', `${T}/traffic/traffic-shift.ts`, [
    '=> ({ service, weight })',
    '=> ({ service, weight: weight === 0 ? 0 : 1 })',
  ]),
  wrong('weights of the other backend', `${T}/traffic/traffic-shift.ts`, [
    '[...weights].map(([service, weight]) => ({ service, weight }))',
    '[...weights].map(([service], at, all) => ({ service, weight: (all.at(-1 - at) ?? [service, 0])[1] }))',
  ]),
  wrong('shift to the namespace', `${T}/traffic/traffic-shift.ts`, [
    'const { name } = serviceOf(target);',
    'const { namespace: name } = serviceOf(target);',
  ]),
  wrong('one retry too few', `${T}/traffic/retries.ts`, ['numRetries: attempts,', 'numRetries: attempts - 1,']),
  wrong('retries after other conditions', `${T}/traffic/retries.ts`, [
    '(retryOn ?? DEFAULT_CONDITIONS)',
    'DEFAULT_CONDITIONS',
  ]),
  wrong('tries without a timeout', `${T}/traffic/retries.ts`, [
    'perTryTimeoutMs === undefined ? NO_TRY_TIMEOUT : duration(perTryTimeoutMs)',
    'NO_TRY_TIMEOUT',
  ]),
  wrong('the default backoff', `${T}/traffic/retries.ts`, [
    'backoffMs === undefined ? BACKOFF_BASE : duration(backoffMs)',
    'BACKOFF_BASE',
  ]),
  wrong('connections without a limit', `${T}/traffic/connection-pool.ts`, ['maxConnections: pool.maxConnections,', '']),
  wrong('requests limited by the limit of pending ones', `${T}/traffic/connection-pool.ts`, [
    'maxRequests: pool.http2MaxRequests',
    'maxRequests: pool.http1MaxPendingRequests',
  ]),
  wrong('milliseconds as seconds', `${SRC}/present.ts`, ['`${milliseconds / 1000}s`', '`${milliseconds}s`']),
  wrong('rates of another unit', `${T}/traffic/local-rate-limit.ts`, ['unit: unit.toLowerCase()', "unit: 'second'"]),
  wrong('the rate as the burst', `${T}/traffic/local-rate-limit.ts`, [
    'requests: requestsPerUnit,',
    'requests: burst,',
  ]),
  wrong(
    'bursts added to the rate',
    `${T}/traffic/local-rate-limit.ts`,
    ['burst - requestsPerUnit', 'burst'],
    'capability route.localRateLimit',
  ),
  wrong(
    'paths that begin alike as whole paths',
    `${T}/access/allowed-paths.ts`,
    ['`^${escaped(path.slice(0, -1))}.*$`', '`^${escaped(path.slice(0, -1))}$`'],
    'capability access.paths',
  ),
  wrong(
    'any method',
    `${T}/access/requests.ts`,
    ["methods: [request.method ?? '*']", "methods: ['*']"],
    'capability access.methods',
  ),
  wrong(
    'any path',
    `${T}/access/requests.ts`,
    ["request.path === undefined ? '.*' : pathRegex(request.path)", "'.*'"],
    'capability access.paths',
  ),
  wrong('only the first path', `${T}/access/requests.ts`, [
    '(paths.length === 0 ? [undefined] : paths).map',
    '(paths.length === 0 ? [undefined] : paths.slice(0, 1)).map',
  ]),
  wrong('only the first caller', `${T}/access/grants.ts`, [
    'return { accounts, requests,',
    'return { accounts: accounts.slice(0, 1), requests,',
  ]),
  wrong('callers of another namespace', `${SRC}/service-account.ts`, [
    '? { namespace, name } : undefined',
    "? { namespace: 'shop', name } : undefined",
  ]),
  wrong(
    'ports not limited',
    `${T}/access/assemble.ts`,
    ['...(ports.length === 0 ? [] : [{ kind: TCP_ROUTE.kind', '...(ports.length > 0 ? [] : [{ kind: TCP_ROUTE.kind'],
    'capability access.ports',
  ),
  wrong(
    'other ports',
    `${T}/access/access.ts`,
    ['{ matches: { ports } }', '{ matches: { ports: ports.slice(1) } }'],
    'capability access.ports',
  ),
  wrong(
    'permissive where access is enforced',
    `${T}/mesh.ts`,
    ["globalAccess === 'DISABLED'", "globalAccess === 'ENABLED'"],
    'capability mesh.globalAccess',
  ),
  wrong(
    'retries without consent in the mesh',
    `${T}/traffic/retries.ts`,
    ['RETRY_POLICY, true,', 'RETRY_POLICY, false,'],
    'capability route.retries',
  ),
  wrong(
    'control planes by another name',
    `${SRC}/discover/control-planes.ts`,
    ["const CONTROLLER = 'osm-controller'", "const CONTROLLER = 'osm-injector'"],
    "property: the fixture's mesh",
  ),
  wrong(
    'members by another container',
    `${SRC}/discover/sidecars.ts`,
    ["const PROXY = 'envoy'", "const PROXY = 'sidecar'"],
    "property: the fixture's mesh",
  ),
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: texts of source files
