/** Simulated clusters of a fleet on this machine, and their addresses. */
import { crds } from '@meshrelay/api/crds';
import { connect, type KubeConnection } from '@meshrelay/kube';
import { type KubeObject, type KubeSim, type KubeSimOptions, startKubeSim } from '@meshrelay/kube-sim';
import type { RunFolder } from './run-folder.ts';

/** The namespace of server and agents. */
export const NAMESPACE = 'meshrelay';

/** What runs in a cluster. */
export interface ClusterPlan {
  readonly name: string;
  readonly region: string;
  /** Files of initial objects. */
  readonly manifests: readonly string[];
  /** Files of CRDs in addition to Meshrelay's. */
  readonly crds: readonly string[];
  /** Second octet of its addresses; keeps the address ranges of clusters disjoint. */
  readonly network: number;
  /** The mesh in the cluster, if any. */
  readonly mesh?: 'istio' | 'osm';
  /** Number of agent replicas; 0 for the management cluster. */
  readonly agents: number;
}

/** A running cluster, and its addresses. */
export interface RunningCluster {
  readonly plan: ClusterPlan;
  readonly sim: KubeSim;
  /** The administrator's client. */
  readonly kubeconfig: string;
  readonly connection: KubeConnection;
}

/** Mesh versions that the manifests install. */
const VERSIONS = { istio: '1.28.0', osm: '1.2.4' };

/** Starts a cluster and waits until its pods run. */
export async function startCluster(
  { name, region, manifests, crds: more, network, mesh }: ClusterPlan,
  options: Pick<KubeSimOptions, 'recordWrite' | 'tokens'> = {},
): Promise<KubeSim> {
  const sim = await startKubeSim({
    ...options,
    name,
    crds: more,
    manifests,
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

/** Writes the administrator's kubeconfig into the folder, and connects. */
export function joinCluster(plan: ClusterPlan, sim: KubeSim, folder: RunFolder): RunningCluster {
  const kubeconfig = folder.write(`${plan.name}.kubeconfig`, sim.kubeconfig);
  return { plan, sim, kubeconfig, connection: connect({ file: kubeconfig }) };
}
