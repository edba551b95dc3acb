/**
 * Addresses of gateways: a cluster cannot claim the address of another cluster, nor an address with another meaning for
 * clients.
 */
import type { Report } from '@meshrelay/api';
import { type Collection, type Key, key, partsOf, type Read } from '@meshrelay/plugin';
import type { Graph } from '../../graph/collection.ts';
import type { FleetState } from '../../store/fleet-state.ts';
import { canonicalAddress, notDialable } from '../../text/addresses.ts';
import type { MeshGateways } from './gateways.ts';

interface AddressClaim {
  readonly cluster: string;
  /** The time of the cluster's first sync, as text that sorts by time; empty if the ledger has none yet. */
  readonly since: string;
}

/** Why a cluster may not use an address: its own list, or that of another cluster. */
type Forbidden = { readonly listed: readonly string[] } | { readonly holder: string };

/**
 * The gateways, without addresses that their cluster may not use. The addresses that a KubernetesCluster lists are
 * binding, for that cluster and for all others.
 * If several clusters claim an address that none or all of them list, the cluster that synced first has it. The ledger
 * records that order; then the first by name. A cluster that joins later therefore never cuts off another.
 */
export function guardGateways(
  graph: Graph,
  { ledgerClusters, clusters }: Pick<FleetState, 'ledgerClusters' | 'clusters'>,
  gateways: Collection<MeshGateways>,
): Collection<MeshGateways> {
  const listing = graph.index(clusters, 'workspaces/clusters-by-gateway-address', ({ gatewayAddresses = [] }) =>
    gatewayAddresses.map((address) => key(address)),
  );
  /** Why KubernetesClusters forbid an address to a cluster; undefined if they do not. */
  const forbidden = (read: Read, cluster: string, address: string): Forbidden | undefined => {
    const own = read.get(clusters, key(cluster))?.gatewayAddresses;
    if (own !== undefined) return own.includes(address) ? undefined : { listed: own };
    if (!read.any(listing, key(address))) return undefined;
    const [holder] = read.by(listing, key(address)).map(([, { name }]) => name);
    return { holder: holder ?? '' };
  };
  const claims = graph.deriveMany('workspaces/gateway-addresses', gateways, ({ gateways: found }, read, mesh) => {
    const [cluster = ''] = partsOf(mesh);
    const addresses = new Set(
      found.flatMap(({ endpoints }) => endpoints.map(({ address }) => canonicalAddress(address))),
    );
    const since = read.get(ledgerClusters, key(cluster))?.firstSyncTime ?? '';
    const own = [...addresses].filter((address) => forbidden(read, cluster, address) === undefined);
    return own.map((address) => [key(mesh, address), { address, cluster, since }] as const);
  });
  const claimants = graph.group(
    'workspaces/gateways-by-address',
    claims,
    ({ address, cluster, since }): Array<readonly [Key, AddressClaim]> => [[key(address), { cluster, since }]],
    compareClaims,
  );
  return graph.derive('workspaces/gateways', gateways, (mesh, read, meshKey): MeshGateways => {
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

/** Clusters without an entry in the ledger come last. */
function compareClaims(a: AddressClaim, b: AddressClaim): number {
  if (a.since !== b.since) return a.since === '' ? 1 : b.since === '' ? -1 : a.since < b.since ? -1 : 1;
  return a.cluster < b.cluster ? -1 : a.cluster > b.cluster ? 1 : 0;
}

function notAllowed(where: string, cluster: string, notPermitted: Forbidden): Report {
  const rest = { severity: 'error', field: 'spec.federation' } as const;
  if ('holder' in notPermitted) {
    const message = `${where}, which spec.gatewayAddresses of KubernetesCluster ${notPermitted.holder} lists and that of ${cluster} does not: no requests for this cluster are sent there; give its gateway its own address`;
    return { code: 'GATEWAY_ADDRESS_CONFLICT', ...rest, message };
  }
  const listed = notPermitted.listed.length === 0 ? 'none' : notPermitted.listed.join(', ');
  const message = `${where}, which spec.gatewayAddresses of KubernetesCluster ${cluster} does not list (${listed}): no requests are sent there; add it if it is correct`;
  return { code: 'GATEWAY_ADDRESS_NOT_LISTED', ...rest, message };
}

function taken(where: string, holder: string): Report {
  return {
    code: 'GATEWAY_ADDRESS_CONFLICT',
    severity: 'error',
    field: 'spec.federation',
    message: `${where}, which a gateway of cluster ${holder} has, too, and that cluster synced first: no requests for this cluster are sent there; give its gateway its own address`,
  };
}

function unusable(where: string, why: string): Report {
  return {
    code: 'GATEWAY_ADDRESS_UNUSABLE',
    severity: 'error',
    field: 'spec.federation',
    message: `${where}, which ${why}, so no other cluster can reach it; give it an address that other clusters can dial`,
  };
}
