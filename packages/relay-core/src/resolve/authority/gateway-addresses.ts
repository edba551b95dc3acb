/** Addresses of gateways: a cluster cannot claim another's, nor one that means something else to everybody who would dial it. */
import type { Report } from '@meshrelay/api';
import type { Collection, Graph } from '../../graph/collection.ts';
import { type Key, key, partsOf } from '../../graph/key.ts';
import type { World } from '../../store/world.ts';
import { canonicalAddress, notDialable } from '../../text/addresses.ts';
import type { MeshGateways } from '../gateways.ts';

interface AddressClaim {
  readonly cluster: string;
  /** When the cluster synced first, as text that sorts by time; empty where the ledger does not know yet. */
  readonly since: string;
}

/**
 * The gateways without addresses that are not for their cluster to give. Of several clusters that claim one address the one that synced first
 * has it, by the ledger, then the first by name: what a cluster does that joins later never cuts off another.
 */
export function guardGateways(
  graph: Graph,
  { ledgerClusters }: Pick<World, 'ledgerClusters'>,
  gateways: Collection<MeshGateways>,
): Collection<MeshGateways> {
  const claims = graph.deriveMany('authority/gateway-addresses', gateways, ({ gateways: found }, read, mesh) => {
    const [cluster = ''] = partsOf(mesh);
    const addresses = new Set(
      found.flatMap(({ endpoints }) => endpoints.map(({ address }) => canonicalAddress(address))),
    );
    const since = read.get(ledgerClusters, key(cluster))?.firstSyncedAt ?? '';
    return [...addresses].map((address) => [key(mesh, address), { address, cluster, since }] as const);
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
        if (why !== undefined) refused.set(address, unusable(where, why));
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
