/** EnvoyFilters: istiod applies them to the configuration that all other objects result in, so what they set counts. */

import { shortList } from '@meshrelay/api';
import type { KubeObject, NativeObject, ObjectConflict, ObjectConflicts } from '@meshrelay/plugin';
import { AUTHORIZATION_POLICY, DESTINATION_RULE, TELEMETRY, VIRTUAL_SERVICE, WASM_PLUGIN } from '../kinds.ts';
import { rootNamespace } from '../root-namespace.ts';
import {
  type Fields,
  fieldsOf,
  labelsOf,
  listOf,
  namespaceOf,
  namesTargets,
  sharedPods,
  specOf,
  textsOf,
} from './spec.ts';

/** There are few EnvoyFilters, and one may concern any object. */
const ANY = 'EnvoyFilter any';

/** The parts of Envoy's configuration that objects of a kind become, in `applyTo`. */
interface Parts {
  /** Whether they are in the proxies of callers, not in those of the pods that the object selects. */
  readonly ofCallers: boolean;
  /** Any patch of these can change what requests do. */
  readonly own: readonly string[];
  /** Shared with other objects: only a patch that changes or removes an existing one counts. */
  readonly shared: readonly string[];
}

const FILTERS = ['LISTENER', 'FILTER_CHAIN', 'NETWORK_FILTER', 'HTTP_FILTER'];
const OF_PODS: Parts = { ofCallers: false, own: [], shared: FILTERS };
const PARTS: ReadonlyMap<string, Parts> = new Map([
  [
    VIRTUAL_SERVICE.kind,
    { ofCallers: true, own: ['ROUTE_CONFIGURATION', 'VIRTUAL_HOST', 'HTTP_ROUTE'], shared: FILTERS },
  ],
  [DESTINATION_RULE.kind, { ofCallers: true, own: [], shared: ['CLUSTER'] }],
  [AUTHORIZATION_POLICY.kind, OF_PODS],
  [TELEMETRY.kind, OF_PODS],
  [WASM_PLUGIN.kind, OF_PODS],
]);

const CHANGES: ReadonlySet<unknown> = new Set(['MERGE', 'REPLACE', 'REMOVE']);

export const envoyFilters: ObjectConflicts = {
  indexKeys: (unmanaged) => (namesTargets(specOf(unmanaged)) ? [] : [ANY]),
  lookupKeys: (managed) => (PARTS.has(managed.kind) ? [ANY] : []),
  detect(managed, unmanaged, meshes): ObjectConflict | undefined {
    const parts = PARTS.get(managed.kind);
    if (parts === undefined) return undefined;
    const patched = patchedParts(managed, unmanaged, parts);
    const isEverywhere = meshes.some((mesh) => rootNamespace(mesh) === namespaceOf(unmanaged));
    const where = parts.ofCallers ? placeOf(unmanaged, isEverywhere) : podsOf(managed, unmanaged, isEverywhere);
    if (patched.length === 0 || where === undefined) return undefined;
    return {
      effect: 'info',
      text: `patches ${shortList(patched, FILTERS.length)} in the proxies of ${where}, after the generated patches: its values apply there, whatever this policy says; check that both fit`,
    };
  },
};

function patchedParts(managed: NativeObject, unmanaged: KubeObject, { ofCallers, own, shared }: Parts): string[] {
  const hosts = hostsOf(managed);
  const patches = listOf(specOf(unmanaged)['configPatches']).filter(({ applyTo, match, patch }) => {
    const { operation } = fieldsOf(patch);
    const part = String(applyTo);
    const counts = own.includes(part) || (shared.includes(part) && CHANGES.has(operation));
    return counts && isInDirection(fieldsOf(match), ofCallers) && namesHost(fieldsOf(match), hosts);
  });
  return [...new Set(patches.map(({ applyTo }) => String(applyTo)))].sort();
}

function isInDirection({ context = 'ANY' }: Fields, ofCallers: boolean): boolean {
  return context === 'ANY' || context === 'SIDECAR_OUTBOUND' || (!ofCallers && context === 'SIDECAR_INBOUND');
}

/** Whether the patch is for one of the hosts, or names none. */
function namesHost({ routeConfiguration, cluster }: Fields, hosts: readonly string[]): boolean {
  const { name: virtualHost } = fieldsOf(fieldsOf(routeConfiguration)['vhost']);
  const { name, service } = fieldsOf(cluster);
  const named = [
    ...textsOf([virtualHost]).map((text) => text.replace(/:\d+$/, '')),
    ...textsOf([name]).map((text) => text.split('|').at(-1) ?? text),
    ...textsOf([service]),
  ];
  return named.length === 0 || named.some((host) => hosts.includes(host));
}

function hostsOf(managed: NativeObject): readonly string[] {
  const { hosts, host } = specOf(managed);
  return [...textsOf(hosts), ...textsOf([host])];
}

function selectedLabels(unmanaged: KubeObject): Readonly<Record<string, string>> {
  return labelsOf(fieldsOf(specOf(unmanaged)['workloadSelector'])['labels']);
}

/** The callers that it selects. */
function placeOf(unmanaged: KubeObject, isEverywhere: boolean): string {
  const labels = Object.entries(selectedLabels(unmanaged)).map(([label, value]) => `${label}=${value}`);
  const pods = labels.length === 0 ? '' : ` with ${labels.sort().join(',')}`;
  return isEverywhere ? `callers${pods} in all namespaces` : `callers${pods} in namespace ${namespaceOf(unmanaged)}`;
}

/** The selected pods of both; undefined if no pod is selected by both. */
function podsOf(managed: NativeObject, unmanaged: KubeObject, isEverywhere: boolean): string | undefined {
  if (!isEverywhere && namespaceOf(managed) !== namespaceOf(unmanaged)) return undefined;
  const own = labelsOf(fieldsOf(specOf(managed)['selector'])['matchLabels']);
  return sharedPods(own, selectedLabels(unmanaged));
}
