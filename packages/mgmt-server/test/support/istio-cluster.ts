/**
 * A workload cluster with Istio and one service in its mesh, for modes in which the server discovers objects itself.
 */
import { isMeshrelayGroup, type KubeObject } from '@meshrelay/api';
import { crds } from '@meshrelay/api/crds';
import { type KubeSim, openCrd, type KubeObject as SimObject, startKubeSim } from '@meshrelay/kube-sim';
import istio from '@meshrelay/plugin-istio';
import { controlPlane, injected } from '@meshrelay/plugin-istio/fixture';

/** The service `reviews` of the namespace `bookinfo` and its one pod. */
function reviews(): KubeObject[] {
  const labels = { app: 'reviews' };
  const metadata = { name: 'reviews', namespace: 'bookinfo', labels };
  const spec = {
    serviceAccountName: 'reviews',
    containers: [{ name: 'reviews', image: 'registry.example/reviews:1' }],
  };
  const pod = injected({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...metadata, name: 'reviews-1' },
    spec,
  } as KubeObject);
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: {
        selector: labels,
        clusterIP: '10.0.0.1',
        ports: [{ name: 'http', port: 9080, targetPort: 9080, protocol: 'TCP' }],
      },
    },
    { ...pod, status: { phase: 'Running', podIP: '10.1.0.1' } },
  ] as unknown as KubeObject[];
}

/** The objects of such a cluster, with Meshrelay's and Istio's CRDs, and the namespaces of both. */
export function istioObjects(): SimObject[] {
  const namespaces = ['meshrelay', 'istio-system', 'bookinfo'].map((name) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name },
  }));
  const objects = [...crds, ...namespaces, ...controlPlane({}), ...reviews()];
  const unmanaged = istio.writes.filter(({ group }) => !isMeshrelayGroup(group));
  return [...unmanaged.map(openCrd), ...(objects as unknown as SimObject[])];
}

export function startIstioCluster(name: string): Promise<KubeSim> {
  return startKubeSim({ name, controllers: false, objects: istioObjects() });
}
