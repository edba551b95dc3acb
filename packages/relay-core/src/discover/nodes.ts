/** Nodes as discovery sees them: their locality, and their addresses for clients outside the cluster. */
import type { IpFamily, KubeObject } from '@meshrelay/api';
import { type Collection, type Index, type Key, key, type Node, type Read } from '@meshrelay/plugin';
import type { Graph } from '../graph/collection.ts';
import { addressKind } from '../plugin/endpoint.ts';

export interface Locality {
  readonly region?: string;
  readonly zone?: string;
  readonly subZone?: string;
}

/** Addresses of a node, in the order of its status. */
export interface NodeAddresses {
  /** IP addresses of either family; host names if the node has none. Empty if it has neither. */
  readonly external: readonly string[];
  /** IP addresses of either family. */
  readonly internal: readonly string[];
}

/** Localities of nodes, under `key('', node)`: the properties of a node that matter to endpoints. */
export function nodeLocalities(graph: Graph, nodes: Collection<KubeObject>): Collection<Locality> {
  return graph.derive('discover/localities', nodes, ({ metadata: { labels = {} } }) => {
    const region = labels['topology.kubernetes.io/region'] ?? labels['failure-domain.beta.kubernetes.io/region'];
    const zone = labels['topology.kubernetes.io/zone'] ?? labels['failure-domain.beta.kubernetes.io/zone'];
    const subZone = labels['topology.istio.io/subzone'];
    return {
      ...(region === undefined ? {} : { region }),
      ...(zone === undefined ? {} : { zone }),
      ...(subZone === undefined ? {} : { subZone }),
    };
  });
}

/** Addresses of the nodes that are ready. A node without conditions counts as ready. */
export function nodeAddresses(graph: Graph, nodes: Collection<KubeObject>): Collection<NodeAddresses> {
  return graph.derive('discover/node-addresses', nodes as Collection<Node>, ({ status = {} }) => {
    const ready = status.conditions?.find(({ type }) => type === 'Ready');
    if (ready !== undefined && ready.status !== 'True') return undefined;
    const of = (type: string) =>
      (status.addresses ?? []).filter((one) => one.type === type).map(({ address }) => address);
    const addresses = of('ExternalIP');
    return { external: addresses.length > 0 ? addresses : of('ExternalDNS'), internal: of('InternalIP') };
  });
}

const FAMILIES: readonly IpFamily[] = ['IPV4', 'IPV6'];

/** Nodes by the families of the addresses that their pods get. */
export function nodesByFamily(graph: Graph, nodes: Collection<KubeObject>): Index<KubeObject> {
  return graph.index(nodes, 'discover/nodes-by-family', (node) => familiesOf(node as Node).map(familyBucket));
}

/** The families of a cluster; empty if no node has any. */
export function familiesAmong(read: Read, nodes: Index<KubeObject>): readonly IpFamily[] {
  return FAMILIES.filter((family) => read.count(nodes, familyBucket(family)) > 0);
}

/** By its pod CIDRs, or else by its own addresses. */
function familiesOf({ spec = {}, status = {} }: Node): readonly IpFamily[] {
  const ranges = spec.podCIDRs ?? (spec.podCIDR === undefined ? [] : [spec.podCIDR]);
  const internal = (status.addresses ?? []).filter(({ type }) => type === 'InternalIP');
  const found = ranges.length > 0 ? ranges : internal.map(({ address }) => address);
  return [...new Set(found.map((one): IpFamily => (addressKind(one) === 'ipv6' ? 'IPV6' : 'IPV4')))];
}

function familyBucket(family: IpFamily): Key {
  return key(family);
}
