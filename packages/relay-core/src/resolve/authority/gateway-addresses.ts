/** Addresses of gateways: a cluster cannot claim another's, nor one that means something else to everybody who would dial it. */
import type { Report } from '@meshrelay/api';
import type { Collection, Graph, Read } from '../../graph/collection.ts';
import { type Key, key, partsOf } from '../../graph/key.ts';
import type { FleetState } from '../../store/fleet-state.ts';
import { canonicalAddress, notDialable } from '../../text/addresses.ts';
import type { MeshGateways } from '../gateways.ts';

interface AddressClaim {
  readonly cluster: string;
  /** When the cluster synced first, as text that sorts by time; empty where the ledger does not know yet. */
  readonly since: string;
}

/** By what a cluster may not have an address: by its own list, or by that of another cluster. */
type Forbidden = { readonly listed: readonly string[] } | { readonly holder: string };

/**
 * The gateways without addresses that are not for their cluster to give. What KubernetesClusters list is binding, for the cluster and for all others. Of several
 * clusters that claim an address which none lists, or all of them list, the one that synced first has it, by the ledger, then the first by name: what a cluster does
 * that joins later never cuts off another.
 */
export function guardGateways(
  graph: Graph,
  { ledgerClusters, clusters }: Pick<FleetState, 'ledgerClusters' | 'clusters'>,
  gateways: Collection<MeshGateways>,
): Collection<MeshGateways> {
  const listing = graph.index(clusters, 'authority/clusters-by-gateway-address', ({ gatewayAddresses = [] }) =>
    gatewayAddresses.map((address) => key(address)),
  );
  /** Why KubernetesClusters do not let a cluster have an address; undefined where they do. */
  const forbidden = (read: Read, cluster: string, address: string): Forbidden | undefined => {
    const own = read.get(clusters, key(cluster))?.gatewayAddresses;
    if (own !== undefined) return own.includes(address) ? undefined : { listed: own };
    if (!read.any(listing, key(address))) return undefined;
    const [holder] = read.by(listing, key(address)).map(([, { name }]) => name);
    return { holder: holder ?? '' };
  };
  const claims = graph.deriveMany('authority/gateway-addresses', gateways, ({ gateways: found }, read, mesh) => {
    const [cluster = ''] = partsOf(mesh);
    const addresses = new Set(
      found.flatMap(({ endpoints }) => endpoints.map(({ address }) => canonicalAddress(address))),
    );
    const since = read.get(ledgerClusters, key(cluster))?.firstSyncedAt ?? '';
    const own = [...addresses].filter((address) => forbidden(read, cluster, address) === undefined);
    return own.map((address) => [key(mesh, address), { address, cluster, since }] as const);
  });
  const claimants = graph.group(
    'authority/gateway-claimants',
    claims,
    ({ address, cluster, since }): Array<readonly [Key, AddressClaim]> => [[key(address), { cluster, since }]],
    compareClaims,
  );
  return graph.derive('authority/gateways', gateways, (mesh, read, meshKey): MeshGateways => {
    const [cluster = ''] = partsOf(meshKey);
    const refused = new Map<string, Report>();
    for (const { name, namespace, endpoints } of mesh.gateways) {
      for (const { address } of endpoints) {
        const where = `gateway Service ${namespace}/${name} in cluster ${cluster} has the address ${address}`;
        const why = notDialable(address);
        const holder = read.get(claimants, key(canonicalAddress(address)))?.[0]?.cluster ?? cluster;
        const notPermitted = forbidden(read, cluster, canonicalAddress(address));
        if (why !== undefined) refused.set(address, unusable(where, why));
        else if (notPermitted !== undefined) refused.set(address, notAllowed(where, cluster, notPermitted));
        else if (holder !== cluster) refused.set(address, taken(where, holder));
      }
    }
    if (refused.size === 0) return mesh;
    return {
      ...mesh,
      gateways: mesh.gateways.flatMap((gateway) => {
        const endpoints = gateway.endpoints.filter(({ address }) => !refused.has(address));
        return endpoints.length === 0 && gateway.endpoints.length > 0 ? [] : [{ ...gateway, endpoints }];
      }),
      reports: [...mesh.reports, ...refused.values()],
    };
  });
}

/** Clusters the ledger does not know come last. */
function compareClaims(a: AddressClaim, b: AddressClaim): number {
  if (a.since !== b.since) return a.since === '' ? 1 : b.since === '' ? -1 : a.since < b.since ? -1 : 1;
  return a.cluster < b.cluster ? -1 : a.cluster > b.cluster ? 1 : 0;
}

function notAllowed(where: string, cluster: string, notPermitted: Forbidden): Report {
  const rest = { severity: 'error', field: 'spec.federation' } as const;
  if ('holder' in notPermitted) {
    const message = `${where}, which spec.gatewayAddresses of KubernetesCluster ${notPermitted.holder} lists and that of ${cluster} does not: nothing is sent there for this cluster; give its gateway an address of its own`;
    return { code: 'GATEWAY_ADDRESS_TAKEN', ...rest, message };
  }
  const listed = notPermitted.listed.length === 0 ? 'none' : notPermitted.listed.join(', ');
  const message = `${where}, which spec.gatewayAddresses of KubernetesCluster ${cluster} does not list (${listed}): nothing is sent there; list it if it is right`;
  return { code: 'GATEWAY_ADDRESS_NOT_LISTED', ...rest, message };
}

function taken(where: string, holder: string): Report {
  return {
    code: 'GATEWAY_ADDRESS_TAKEN',
    severity: 'error',
    field: 'spec.federation',
    message: `${where}, which is that of a gateway of cluster ${holder}, and that synced first: nothing is sent there for this cluster; give its gateway an address of its own`,
  };
}

function unusable(where: string, why: string): Report {
  return {
    code: 'GATEWAY_ADDRESS_UNUSABLE',
    severity: 'error',
    field: 'spec.federation',
    message: `${where}, which ${why}, so no other cluster can reach it by that; give it an address that others can dial`,
  };
}
