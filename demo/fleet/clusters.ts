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
  readonly istio: boolean;
  /** How many replicas its agent has; none for the management cluster. */
  readonly agents: number;
}

export const MANAGEMENT: ClusterPlan = {
  name: 'management',
  region: 'eu-central',
  manifests: [],
  network: 10,
  istio: false,
  agents: 0,
};

export const WORKLOADS: readonly ClusterPlan[] = [
  {
    name: 'cluster-1',
    region: 'us-east',
    manifests: ['istio.yaml', 'bookshop-east.yaml'],
    network: 11,
    istio: true,
    agents: 2,
  },
  {
    name: 'cluster-2',
    region: 'us-west',
    manifests: ['istio.yaml', 'bookshop-west.yaml'],
    network: 12,
    istio: true,
    agents: 1,
  },
  { name: 'cluster-3', region: 'eu-west', manifests: ['warehouse.yaml'], network: 13, istio: false, agents: 1 },
];

/** The Istio the manifests install. */
const ISTIO_VERSION = '1.28.0';

/** Starts a cluster and waits until its pods run. */
export async function startCluster({ name, region, manifests, network, istio }: ClusterPlan): Promise<KubeSim> {
  const folder = join(import.meta.dirname, '../manifests');
  const sim = await startKubeSim({
    name,
    crds: istio ? [join(folder, 'istio-crds.yaml')] : [],
    manifests: manifests.map((file) => join(folder, file)),
    objects: [
      ...(crds as unknown as readonly KubeObject[]),
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
    ],
    controllers: {
      nodes: { count: 2, region, zones: [`${region}a`, `${region}b`] },
      podCidr: `10.${network}.0.0/16`,
      loadBalancerPool: `172.18.${network}.0/24`,
      ...(istio ? { istio: { version: ISTIO_VERSION, clusterName: name } } : {}),
    },
  });
  await sim.settled();
  return sim;
}
