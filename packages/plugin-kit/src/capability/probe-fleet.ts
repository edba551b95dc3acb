/** The fleet for probes: two clusters with one mesh each, a gateway, and a bookshop. */
import type { KubeObject, TrafficRules } from '@meshrelay/api';
import type { MeshPlugin } from '@meshrelay/plugin';
import { agentObjects, type LoadedPlugin } from '@meshrelay/relay-core';
import { expandFleet, type Fleet } from '../fleet/expand-fleet.ts';
import type { ClusterSpec } from '../fleet/fleet-spec.ts';
import { type PolicySpec, policyObject } from '../fleet/policy-object.ts';
import type { ServiceSpec } from '../fleet/service-objects.ts';
import { loaded, type TestedPlugin } from '../tested-plugin.ts';
import { ANY_RULES, virtualMesh } from './probe.ts';
import { TRAFFIC_CONFLICTS } from './traffic/mod.ts';

const PROBE_FLEETS = new WeakMap<TestedPlugin, Fleet>();

/** The fleet without policies: the same for all probes of a plugin. */
export function probeFleet(tested: TestedPlugin): Fleet {
  const known = PROBE_FLEETS.get(tested);
  if (known !== undefined) return known;
  const fleet = bookshop(tested, ['books']);
  PROBE_FLEETS.set(tested, fleet);
  return fleet;
}

/** The same with these destinations instead. */
export function bookshop({ plugin, fixture }: TestedPlugin, destinations: readonly string[]): Fleet {
  const versioned: ServiceSpec = { ports: ['http:80:8080'], versions: ['v1', 'v2'] };
  const cluster = (number: number): ClusterSpec => ({
    region: `region-${number}`,
    services: {
      ...gateway(plugin, `198.51.100.${number}`),
      ...Object.fromEntries(destinations.map((name) => [`${name}.shop`, versioned])),
      'new-books.shop': versioned,
      'buyer.shop': { ports: ['http:80:8080'] },
    },
  });
  const clusters = { 'cluster-1': cluster(1), 'cluster-2': cluster(2) };
  return expandFleet({ about: '', clusters }, { type: plugin.name, fixture });
}

/** The plugin's default gateway of its mesh. */
function gateway({ gatewayDefaults }: MeshPlugin, address: string): Readonly<Record<string, ServiceSpec>> {
  if (gatewayDefaults === undefined) return {};
  const { labels, portName } = gatewayDefaults;
  return {
    'gateway.gateways': { ports: [`${portName}:15443`], labels, selector: labels, loadBalancer: address },
  };
}

/**
 * Policies of a probe as objects of the management cluster, with permission for every patch that the plugin may
 * request.
 */
export function probePolicies(policies: readonly PolicySpec[], fleet: Fleet, tested: TestedPlugin): KubeObject[] {
  const meshes = meshesOf(fleet, tested);
  const objects = policies.map((policy) => {
    const spec = policy['spec'] as Readonly<Record<string, unknown>>;
    if ('VirtualMesh' in policy) return policyObject({ ...policy, spec: { meshes, ...spec } });
    if (spec['policy'] !== ANY_RULES) return policyObject(policy);
    return policyObject({ ...policy, spec: { ...spec, policy: supportedRules(tested.plugin) } });
  });
  return [...applied(objects, tested.plugin, meshes), ...consent(tested.plugin)];
}

/** If the plugin configures the proxies itself, a mesh must be in a virtual mesh before policies have an effect. */
function applied(
  policies: readonly KubeObject[],
  { configuresProxies = false }: MeshPlugin,
  [first]: readonly object[],
): readonly KubeObject[] {
  if (!configuresProxies || first === undefined || policies.some(({ kind }) => kind === 'VirtualMesh')) return policies;
  return [policyObject(virtualMesh({ meshes: [first] })), ...policies];
}

function consent({ name, patches = [] }: MeshPlugin): KubeObject[] {
  if (patches.length === 0) return [];
  const names = patches.map((right) => [right.consent.slice(right.consent.lastIndexOf('.') + 1), true]);
  return [policyObject({ Settings: 'settings', spec: { patches: { [name]: Object.fromEntries(names) } } })];
}

const MESHES = new WeakMap<Fleet, readonly object[]>();

/** References to the meshes that the plugin discovers in a fleet. A fleet belongs to one plugin. */
function meshesOf(fleet: Fleet, tested: TestedPlugin): readonly object[] {
  const known = MESHES.get(fleet);
  if (known !== undefined) return known;
  const meshes = discoverMeshes(fleet, loaded(tested));
  MESHES.set(fleet, meshes);
  return meshes;
}

function discoverMeshes({ clusters }: Fleet, plugins: readonly LoadedPlugin[]): object[] {
  return clusters.flatMap((cluster) =>
    agentObjects(cluster, plugins)
      .filter(({ kind }) => kind === 'Mesh')
      .map(({ metadata }) => ({
        name: `${metadata.name}-${metadata.namespace}-${cluster.name}`,
        namespace: 'meshrelay',
      })),
  );
}

/** A field of TrafficPolicies that the mesh supports. */
function supportedRules({ capabilities }: MeshPlugin): TrafficRules | undefined {
  const supported = TRAFFIC_CONFLICTS.find(({ capability }) => capabilities[capability] === 'native');
  return (supported ?? TRAFFIC_CONFLICTS[0])?.one;
}
