/**
 * Where requests for a federated destination go: through the gateways of its mesh or, on flat networks, to its pods.
 */
import type { EndpointSubset, IpFamily, KubeService } from '@meshrelay/api';
import {
  type AddressKind,
  CLUSTER_LABEL,
  type Collection,
  type EndpointMultiplicity,
  type EndpointView,
  type Key,
  key,
  type MeshFacts,
  type Read,
} from '@meshrelay/plugin';
import type { Graph } from '../../graph/collection.ts';
import { addressKind } from '../../plugin/endpoint.ts';
import type { FleetState } from '../../store/fleet-state.ts';
import type { MeshGateways } from '../gateways/mod.ts';
import { within } from '../inventory/mod.ts';
import type { Exported, Federated } from './federation.ts';

/** The destination whose endpoints are requested, and the consumer. */
export type Reached = Pick<Federated, 'destination' | 'home' | 'consumer' | 'direct'>;

/** Endpoints by federated destination. Readers that need only their number do not depend on each endpoint. */
export interface Endpoints {
  /** All endpoints that the consumer can use, in a fixed order; empty without a path. */
  of(read: Read, reached: Reached): readonly EndpointView[];
  /** Undefined without a path. */
  endpointMultiplicity(read: Read, reached: Reached): EndpointMultiplicity | undefined;
  /** The address kinds of the gateways of a mesh, by mesh key. */
  readonly kindsOfGateways: Collection<readonly AddressKind[]>;
}

/** The addresses that a consumer can dial. Consumers of one sort share one list. */
const SORTS = ['ipv4', 'ipv6', 'any'] as const;
type Sort = (typeof SORTS)[number];

export function resolveEndpoints(
  graph: Graph,
  { destinations }: Pick<FleetState, 'destinations'>,
  meshes: Collection<MeshFacts>,
  gateways: Collection<MeshGateways>,
  exported: Collection<Exported>,
): Endpoints {
  const ofGateways = graph.deriveMany('resolve/gateway-endpoints', gateways, ({ gateways: found }, _read, mesh) =>
    bySort(
      key('gateways', mesh),
      found.map(({ endpoints }) => endpoints),
    ),
  );
  const ofPods = graph.deriveMany('resolve/pod-endpoints', exported, ({ direct }, read, destinationKey) => {
    const destination = direct ? read.get(destinations, destinationKey) : undefined;
    return destination === undefined
      ? []
      : bySort(key('pods', destinationKey), [podEndpoints(destination.value.spec.kubeService)]);
  });
  const all = graph.join('resolve/endpoints', [ofGateways, ofPods]);
  const endpointMultiplicity = graph.derive(
    'resolve/endpoint-multiplicity',
    all,
    ({ length }): EndpointMultiplicity => (length === 1 ? 'single' : 'multiple'),
  );
  const at = (read: Read, { destination, home, consumer, direct }: Reached): Key =>
    key(
      direct ? key('pods', destination) : key('gateways', home),
      sortOf(read.get(meshes, consumer)?.ipFamilies ?? []),
    );
  return {
    of: (read, reached) => read.get(all, at(read, reached)) ?? [],
    endpointMultiplicity: (read, reached) => read.get(endpointMultiplicity, at(read, reached)),
    kindsOfGateways: graph.derive('resolve/gateway-kinds', gateways, ({ gateways: found }) =>
      [...new Set(found.flatMap(({ endpoints }) => endpoints.map(({ kind }) => kind)))].sort(),
    ),
  };
}

/** The lists for each sort of consumer; `groups` are the endpoints of one gateway, or of all pods. */
function bySort(
  of: Key,
  groups: ReadonlyArray<readonly EndpointView[]>,
): Array<readonly [Key, readonly EndpointView[]]> {
  return SORTS.flatMap((sort) => {
    const usable = groups.flatMap((group) => usableBy(sort, group));
    const endpoints = usable.length > 0 ? usable : groups.flat();
    return endpoints.length === 0 ? [] : [[key(of, sort), endpoints] as const];
  });
}

/** One address of each backend is enough. With both families IPv4 has precedence, unless the consumer has no IPv4. */
function usableBy(sort: Sort, group: readonly EndpointView[]): readonly EndpointView[] {
  const has = (kind: AddressKind) => group.some((endpoint) => endpoint.kind === kind);
  const leftOut = sort === 'ipv4' || (sort === 'any' && has('ipv4')) ? 'ipv6' : sort === 'ipv6' ? 'ipv4' : undefined;
  return group.filter(({ kind }) => kind !== leftOut);
}

function sortOf(families: readonly IpFamily[]): Sort {
  const [only] = families;
  return families.length !== 1 || only === undefined ? 'any' : only === 'IPV4' ? 'ipv4' : 'ipv6';
}

/** Pods at their own addresses and ports, with their own labels. */
export function podEndpoints({ ref, region, ports, endpointSubsets = [] }: KubeService): EndpointView[] {
  const pods = endpointSubsets.flatMap((subset) => {
    const served = portsServed(ports, subset);
    if (Object.keys(served).length === 0) return [];
    return subset.endpoints.map(({ ipAddress, labels = {}, subLocality }): EndpointView => {
      const locality =
        region === undefined ? undefined : subLocality === undefined ? { region } : within(region, subLocality);
      return {
        address: ipAddress,
        kind: addressKind(ipAddress),
        ports: served,
        ...(locality === undefined ? {} : { locality }),
        labels: { ...labels, [CLUSTER_LABEL]: ref.clusterName },
      };
    });
  });
  const byAddress = new Map(pods.map((pod) => [pod.address, pod]));
  return [...byAddress.values()].sort((a, b) => (a.address < b.address ? -1 : 1));
}

/** The port numbers on which a group of pods listens, by the Service's port. Ports of both match by name. */
function portsServed(ports: KubeService['ports'], subset: EndpointSubset): Record<number, number> {
  return Object.fromEntries(
    ports.flatMap(({ port, name = '' }) => {
      const served = subset.ports.find((one) => (one.name ?? '') === name);
      return served === undefined ? [] : [[port, served.port]];
    }),
  );
}
