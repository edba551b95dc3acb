/**
 * The resolve context: clusters, meshes, destinations, policies and federation of the whole fleet, before any
 * planning.
 */
import type { Collection, MeshFacts } from '@meshrelay/plugin';
import type { Graph } from '../graph/collection.ts';
import type { Hasher } from '../input/canonical.ts';
import { supports } from '../plugin/capability.ts';
import type { LoadedPlugin } from '../plugin/registry.ts';
import type { FleetState } from '../store/fleet-state.ts';
import { certificatesOf } from '../text/certificates.ts';
import { type Extensions, resolveExtensions } from './extensions/mod.ts';
import { type Endpoints, type Federation, resolveEndpoints, resolveFederation } from './federation/mod.ts';
import {
  defaultGateways,
  guardGateways,
  type IngressGateways,
  type MeshGateways,
  resolveGateways,
  resolveIngressGateways,
} from './gateways/mod.ts';
import {
  type ClustersBySuffix,
  clustersByEnding,
  type Destinations,
  joinDestinations,
  meshFacts,
  uniqueNames,
} from './inventory/mod.ts';
import { evaluateValues, type Policies, resolvePolicies } from './policies/mod.ts';
import { resolveVirtualDestinations, type VirtualDestinations } from './virtual-destinations/mod.ts';
import {
  type ConfiguredMeshes,
  configuredMeshes,
  describedTypes,
  federatingTypes,
  indexMembers,
  type Members,
  resolveVirtualMeshes,
  type VirtualMeshes,
} from './virtual-meshes/mod.ts';
import {
  type Authorities,
  type RejectedTrustDomain,
  refusedTrustDomains,
  resolveAuthorities,
} from './workspaces/mod.ts';

export interface ResolveContext {
  readonly authorities: Authorities;
  readonly clusterEndings: ClustersBySuffix;
  readonly meshes: Collection<MeshFacts>;
  /** Names of Mesh objects in the management namespace, by mesh key. */
  readonly meshNames: Collection<string>;
  /** The meshes whose trust domain is rejected. */
  readonly distrusted: Collection<RejectedTrustDomain>;
  /**
   * Base64 of the root certificates with which workloads verify peers, sorted, by mesh key; none if no root is known.
   */
  readonly trustRoots: Collection<readonly string[]>;
  /** The meshes that keep their own root whatever a policy requests, by mesh key. */
  readonly ownRoots: Collection<true>;
  readonly destinations: Destinations;
  readonly policies: Policies;
  readonly virtualMeshes: VirtualMeshes;
  readonly members: Members;
  readonly configured: ConfiguredMeshes;
  readonly ingress: IngressGateways;
  readonly gateways: Collection<MeshGateways>;
  readonly federation: Federation;
  readonly endpoints: Endpoints;
  readonly virtualDestinations: VirtualDestinations;
  readonly extensions: Extensions;
}

/** Inputs of the stage in addition to the fleet state. */
export interface ResolveOptions {
  readonly hash: Hasher;
  /** The management namespace. */
  readonly namespace: string;
}

/** Adds the resolve context to a graph. */
export function bindFleet(
  graph: Graph,
  fleetState: FleetState,
  plugins: readonly LoadedPlugin[],
  { hash, namespace }: ResolveOptions,
): ResolveContext {
  const meshes = meshFacts(graph, fleetState);
  const trustRoots = graph.inline('resolve/trust-roots', fleetState.meshes, ({ spec: { trustBundle } }) =>
    trustBundle === undefined ? undefined : certificatesOf(trustBundle),
  );
  const clusterEndings = clustersByEnding(graph, fleetState.clusters);
  const meshNames = uniqueNames(
    graph,
    'resolve/mesh-names',
    {
      items: meshes,
      baseName: (mesh) => `${mesh.name}-${mesh.namespace}-${mesh.cluster}`,
      clusters: clusterEndings,
    },
    hash,
  );
  const values = evaluateValues(graph, fleetState, namespace);
  const authorities = resolveAuthorities(graph, fleetState, values.checked, namespace);
  const destinations = joinDestinations(graph, fleetState, meshes, authorities);
  const policies = resolvePolicies(graph, values, authorities, {
    destinations,
    describedTypes: describedTypes(plugins),
  });
  const distrusted = refusedTrustDomains(graph, fleetState, meshes);
  const virtualMeshes = resolveVirtualMeshes(graph, policies.checked, authorities, {
    meshes,
    meshNames,
    distrusted,
    namespace,
  });
  const defaults = defaultGateways(graph, destinations, plugins);
  const ingress = resolveIngressGateways(graph, meshes, destinations, {
    settings: fleetState.discoverySettings,
    defaults,
  });
  const found = resolveGateways(graph, virtualMeshes, meshes, destinations, {
    settings: fleetState.discoverySettings,
    defaults,
    federates: federatingTypes(plugins),
  });
  const gateways = guardGateways(graph, fleetState, found);
  const tables = new Map(plugins.map(({ plugin }) => [plugin.name, plugin.capabilities]));
  const federation = resolveFederation(graph, {
    virtualMeshes,
    meshes,
    meshNames,
    destinations,
    gateways,
    namespace,
    reachesPods: (type) => supports(tables.get(type), 'mesh.federation.flatNetwork'),
    reachesGateways: (type) => supports(tables.get(type), 'mesh.federation.gateway'),
  });
  const ownRoots = graph.derive('resolve/own-roots', meshes, ({ type }): true | undefined =>
    tables.has(type) && !supports(tables.get(type), 'mesh.trust.shared') ? true : undefined,
  );
  const endpoints = resolveEndpoints(graph, fleetState, meshes, gateways, federation.exported);
  const federated = {
    authorities,
    clusterEndings,
    meshes,
    meshNames,
    distrusted,
    trustRoots,
    ownRoots,
    destinations,
    policies,
    virtualMeshes,
    members: indexMembers(graph, virtualMeshes, meshes),
    configured: configuredMeshes(graph, meshes, virtualMeshes, plugins),
    ingress,
    gateways,
    federation,
    endpoints,
  };
  return {
    ...federated,
    virtualDestinations: resolveVirtualDestinations(graph, fleetState, federated, hash),
    extensions: resolveExtensions(graph, fleetState, values.checked, { authorities, meshes }),
  };
}
