/** The demo's clusters: what runs where. */
import { join } from 'node:path';
import { crds } from '@meshrelay/api/crds';
import { type KubeObject, type KubeSim, startKubeSim } from '@meshrelay/kube-sim';

/** The namespace of server and agents. */
export const NAMESPACE = 'meshrelay';

export interface ClusterPlan {
  readonly name: string;
  readonly region: string;
  readonly manifests: readonly string[];
  /** Second octet of its addresses, so that clusters do not overlap. */
  readonly network: number;
  /** The mesh it runs, if any. */
  readonly mesh?: 'istio' | 'osm';
  /** How many replicas its agent has; none for the management cluster. */
  readonly agents: number;
}

export const MANAGEMENT: ClusterPlan = {
  name: 'management',
  region: 'eu-central',
  manifests: [],
  network: 10,
  agents: 0,
};

export const WORKLOADS: readonly ClusterPlan[] = [
  {
    name: 'cluster-1',
    region: 'us-east',
    manifests: ['istio.yaml', 'bookshop-east.yaml'],
    network: 11,
    mesh: 'istio',
    agents: 2,
  },
  {
    name: 'cluster-2',
    region: 'us-west',
    manifests: ['istio.yaml', 'bookshop-west.yaml'],
    network: 12,
    mesh: 'istio',
    agents: 1,
  },
  {
    name: 'cluster-3',
    region: 'eu-west',
    manifests: ['osm.yaml', 'bookstore.yaml'],
    network: 13,
    mesh: 'osm',
    agents: 1,
  },
];

/** What the manifests install. */
const VERSIONS = { istio: '1.28.0', osm: '1.2.4' };

/** Starts a cluster and waits until its pods run. */
export async function startCluster({ name, region, manifests, network, mesh }: ClusterPlan): Promise<KubeSim> {
  const folder = join(import.meta.dirname, '../manifests');
  const sim = await startKubeSim({
    name,
    crds: mesh === undefined ? [] : [join(folder, `${mesh}-crds.yaml`)],
    manifests: manifests.map((file) => join(folder, file)),
    objects: [
      ...(crds as unknown as readonly KubeObject[]),
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
    ],
    controllers: {
      nodes: { count: 2, region, zones: [`${region}a`, `${region}b`] },
      podCidr: `10.${network}.0.0/16`,
      loadBalancerPool: `172.18.${network}.0/24`,
      ...(mesh === 'istio' ? { istio: { version: VERSIONS.istio, clusterName: name } } : {}),
      ...(mesh === 'osm' ? { osm: { version: VERSIONS.osm } } : {}),
    },
  });
  await sim.settled();
  return sim;
}
