/** Simulated clusters of a fleet on this machine, and how to reach them. */
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
  /** Files of objects to begin with. */
  readonly manifests: readonly string[];
  /** Files of CRDs beside ours. */
  readonly crds: readonly string[];
  /** Second octet of its addresses, so that clusters do not overlap. */
  readonly network: number;
  /** The mesh it runs, if any. */
  readonly mesh?: 'istio' | 'osm';
  /** How many replicas its agent has; none for the management cluster. */
  readonly agents: number;
}

/** A cluster that runs, and how to reach it. */
export interface RunningCluster {
  readonly plan: ClusterPlan;
  readonly sim: KubeSim;
  /** The administrator's. */
  readonly kubeconfig: string;
  readonly connection: KubeConnection;
}

/** What manifests install. */
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
