/** Which values of a view come from policies or from the fleet, so that outputs must contain them as they are. */
import type { MeshPlugin } from '@meshrelay/plugin';
import { isSupportedBy } from '../../capability/claim.ts';
import { leavesOf, type Path } from './paths.ts';
import type { ReceivedView } from './translated.ts';

/** The parts of views, by their first field, and by the field below it where the part has others. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  translateDestination: ['routes', 'connection', 'access', 'subsets', 'exported.hostname', 'exported.address'],
  translateFederatedDestination: [
    ...['routes', 'connection', 'subsets', 'tcpKeepalive', 'hostname', 'destination.serviceAccounts'],
  ],
  translateEndpoints: ['hostname', 'address', 'endpoints', 'destination.serviceAccounts'],
  translateLocalEndpoints: ['endpoints'],
  translateVirtualDestination: [
    ...['hostname', 'address', 'port', 'outlierDetection', 'groups', 'identities', 'gatewayHostname', 'tcpKeepalive'],
    ...['gatewayRoute.hostname', 'gatewayRoute.address'],
  ],
  translateMesh: ['globalAccess', 'strictMtls', 'eastWestGateways', 'exportedHosts'],
  translateWorkload: ['globalAccess', 'strictMtls', 'services', 'gateways', 'accessLog', 'wasm'],
  translateWorkloadExtensions: ['accessLog', 'wasm'],
  translateMeshExtensions: ['accessLog'],
};

/** Parts that views of workloads have, too, if the plugin configures the proxies. */
const OF_WORKLOADS: ReadonlySet<string> = new Set(['eastWestGateways', 'exportedHosts']);

/** Parts that only federation through gateways needs. */
const OF_FEDERATION: ReadonlySet<string> = new Set([
  ...['eastWestGateways', 'exportedHosts'],
  ...['exported.hostname', 'exported.address', 'destination.serviceAccounts'],
]);

/** Names, positions, and values that follow from others. */
const IMPLIED: readonly RegExp[] = [
  /(^|\.)(from|requestedBy)(\.|$)/,
  /^port(\.|$)/,
  /\.kind$/,
  /^match\.name$/,
  /\.queryParameters\.\*\.invert$/,
  /\.(target|value\.\*)\.(destination|virtual|remote|onlyPort|details|subset\.labels)(\.|$)/,
  /^services\.\*\.(destination|otherHostnames|subsets)(\.|$)/,
  /^wasm\.\*\.(position|selector|rootId|weight)(\.|$)/,
  /^groups\.\*\.(destination|port|local|inbound|priority)(\.|$)/,
  /^endpoints\.\*\.(kind|gateway)(\.|$)/,
  /^groups\.\*\.endpoints\.\*\.(kind|gateway|labels)(\.|$)/,
  /^eastWestGateways\.\*\.(name|namespace|serviceAccounts|endpoints)(\.|$)/,
  /^gateways\.\*\.name$/,
];

/** A value that policies or the fleet state. */
export interface StatedValue {
  readonly path: Path;
  /** The same for the same field of all views, such as `actions.timeoutMs.value`. */
  readonly field: string;
}

/** All stated values of a view. */
export function* statedValues(
  { configuresProxies = false, capabilities }: Pick<MeshPlugin, 'configuresProxies' | 'capabilities'>,
  { call, view }: ReceivedView,
): Generator<StatedValue> {
  for (const part of PARTS[call] ?? []) {
    if (configuresProxies && OF_WORKLOADS.has(part)) continue;
    if (OF_FEDERATION.has(part) && !isSupportedBy(capabilities, 'mesh.federation.gateway')) continue;
    const path = part.split('.');
    const value = path.reduce<unknown>((owner, name) => (owner as Readonly<Record<string, unknown>>)?.[name], view);
    if (value === undefined) continue;
    for (const leaf of leavesOf(value, path)) {
      const field = fieldOf(leaf);
      if (!IMPLIED.some((pattern) => pattern.test(field))) yield { path: leaf, field };
    }
  }
}

/** The path without positions and without the lists of routes. */
function fieldOf(path: Path): string {
  return path
    .map((name) => (/^\d+$/.test(name) ? '*' : name))
    .join('.')
    .replace(/^(routes|services\.\*\.limits)\.\*\./, '')
    .replace(/^services\.\*\.access\./, 'access.');
}

/** Fields whose values differ between the objects of a fleet: one of them is enough. */
export function isOfFleet(field: string): boolean {
  return /^(exported|hostname|address|endpoints|destination|groups|identities|gateway)/.test(field);
}

/**
 * Fields that views of several functions have, since meshes differ in the objects that need them. One of the functions
 * must write them.
 */
export function isWrittenOnce(field: string): boolean {
  return /^(destination|access|accessLog|wasm|subsets|globalAccess|strictMtls|actions\.localRateLimit)(\.|$)/.test(
    field,
  );
}
