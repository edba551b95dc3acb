/** Workloads as policies see them: the data of their own objects. */
import type { Workload } from '@meshrelay/api';
import { type Key, key } from '@meshrelay/plugin';

/** A workload, in a mesh or not. */
export interface WorkloadFacts {
  readonly cluster: string;
  readonly namespace: string;
  /** The name of the controller. */
  readonly name: string;
  readonly kind: string;
  readonly serviceAccount: string;
  readonly podLabels: Readonly<Record<string, string>>;
  readonly mesh?: Key;
}

export function workloadFacts({ spec: { kubernetes, mesh } }: Workload): WorkloadFacts {
  const { controller, podLabels = {}, serviceAccountName } = kubernetes;
  const { clusterName: cluster, namespace, name, kind } = controller;
  return {
    cluster,
    namespace,
    name,
    kind,
    serviceAccount: serviceAccountName,
    podLabels,
    ...(mesh === undefined ? {} : { mesh: key(cluster, mesh.namespace, mesh.name) }),
  };
}
