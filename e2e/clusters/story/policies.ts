/** The policies of the story. */
import type { Client } from '@meshrelay/testing/api-server';
import { NAMESPACE } from './names.ts';
import { SHOP } from './workloads.ts';

const apiVersion = 'networking.meshrelay.dev/v1alpha1';

/** A VirtualMesh of the istiods of these clusters, without certificates. */
export function virtualMesh(clusters: readonly string[]): object {
  return {
    apiVersion,
    kind: 'VirtualMesh',
    metadata: { name: 'bookshop', namespace: NAMESPACE },
    spec: { meshes: clusters.map((cluster) => ({ name: `istiod-istio-system-${cluster}`, namespace: NAMESPACE })) },
  };
}

const RETRIES = 'reviews-retries';

/** @param attempts of requests to the reviews; a change that outputs show */
export function retries(attempts: number, clusters: readonly string[]): object {
  const services = clusters.map((clusterName) => ({ name: 'reviews', namespace: SHOP, clusterName }));
  return {
    apiVersion,
    kind: 'TrafficPolicy',
    metadata: { name: RETRIES, namespace: NAMESPACE },
    spec: {
      destinationSelector: [{ kubeServiceRefs: { services } }],
      policy: { retries: { attempts, perTryTimeout: '2s' } },
    },
  };
}

/** Changes the policy of {@link retries}. @returns whether the API server has accepted it */
export async function editRetries(client: Client, attempts: number, clusters: readonly string[]): Promise<boolean> {
  const path = `/apis/${apiVersion}/namespaces/${NAMESPACE}/trafficpolicies/${RETRIES}`;
  return (await client.patch(path, 'merge', retries(attempts, clusters))).status === 200;
}
