/** The policies of the story. */
import type { Client } from '@meshrelay/testing/api-server';
import { BOOKINFO, PORT } from './bookinfo/objects.ts';
import { NAMESPACE } from './names.ts';

const apiVersion = 'networking.meshrelay.dev/v1alpha1';

/** A VirtualMesh of the istiods of these clusters, which federates all Services. Their proxies have one root already. */
export function virtualMesh(clusters: readonly string[]): object {
  return policy('VirtualMesh', BOOKINFO, {
    meshes: clusters.map((cluster) => ({ name: `istiod-istio-system-${cluster}`, namespace: NAMESPACE })),
    federation: { mode: 'ALL' },
  });
}

const RETRIES = 'reviews-retries';
/** The header of responses by which requests show which edit applies. */
export const EDIT_HEADER = 'x-edit';

/** @param attempts of requests to the reviews; a change that outputs and responses show */
export function retries(attempts: number, clusters: readonly string[]): object {
  return policy('TrafficPolicy', RETRIES, {
    destinationSelector: reviewsOf(clusters),
    policy: {
      retries: { attempts, perTryTimeout: '10s' },
      headerManipulation: { appendResponseHeaders: { [EDIT_HEADER]: String(attempts) } },
    },
  });
}

/** Changes the policy of {@link retries}. @returns whether the API server has accepted it */
export async function editRetries(client: Client, attempts: number, clusters: readonly string[]): Promise<boolean> {
  const path = `/apis/${apiVersion}/namespaces/${NAMESPACE}/trafficpolicies/${RETRIES}`;
  return (await client.patch(path, 'merge', retries(attempts, clusters))).status === 200;
}

/** The page alone may read the reviews. */
export function readers(clusters: readonly string[]): object {
  const serviceAccounts = [{ name: 'bookinfo-productpage', namespace: BOOKINFO }];
  return policy('AccessPolicy', 'reviews-readers', {
    sourceSelector: [{ kubeServiceAccountRefs: { serviceAccounts } }],
    destinationSelector: reviewsOf(clusters),
  });
}

export const REVIEWS_EVERYWHERE = 'reviews.everywhere';

/** One name for the reviews of all clusters: the caller's own first, others while those fail. */
export function failover(): object {
  return policy('VirtualDestination', 'reviews', {
    hostname: REVIEWS_EVERYWHERE,
    port: { number: PORT, protocol: 'HTTP' },
    virtualMesh: { name: BOOKINFO, namespace: NAMESPACE },
    localized: {
      destinationSelectors: [{ kubeServiceMatcher: { labels: { app: 'reviews' }, namespaces: [BOOKINFO] } }],
      outlierDetection: { consecutiveErrors: 1, interval: '200ms', baseEjectionTime: '10s', maxEjectionPercent: 100 },
    },
  });
}

function policy(kind: string, name: string, spec: object): object {
  return { apiVersion, kind, metadata: { name, namespace: NAMESPACE }, spec };
}

function reviewsOf(clusters: readonly string[]): readonly object[] {
  const services = clusters.map((clusterName) => ({ name: 'reviews', namespace: BOOKINFO, clusterName }));
  return [{ kubeServiceRefs: { services } }];
}
