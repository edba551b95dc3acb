/** The Kubernetes objects of one cluster, for discovery: an istiod, and Services with pods that have sidecars. */
import type { KubeObject } from '@meshrelay/api';

/** Pods per Service. */
const PODS_PER_SERVICE = 4;
const SERVICES_PER_NAMESPACE = 25;

export function clusterObjects(pods: number): KubeObject[] {
  const objects: KubeObject[] = [controlPlane(), node()];
  for (let service = 0; service * PODS_PER_SERVICE < pods; service++) objects.push(...serviceObjects(service));
  for (let pod = 0; pod < pods; pod++) objects.push(podObject(pod, pod % 2 === 0 ? 'v1' : 'v2'));
  return objects;
}

export function podObject(pod: number, version: string): KubeObject {
  const app = appOf(pod);
  return object('v1', 'Pod', `${app}-${pod}`, namespaceOf(pod), {
    metadata: {
      labels: { app, version },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: `${app}-1`, controller: true }],
    },
    spec: {
      serviceAccountName: app,
      nodeName: 'node-1',
      containers: [
        { name: 'app', image: 'registry.example/app:1' },
        { name: 'istio-proxy', image: 'registry.example/proxyv2:1.30.0' },
      ],
    },
    status: { phase: 'Running', podIP: address(pod) },
  });
}

function serviceObjects(service: number): KubeObject[] {
  const first = service * PODS_PER_SERVICE;
  const app = appOf(first);
  const namespace = namespaceOf(first);
  const pods = Array.from({ length: PODS_PER_SERVICE }, (_, position) => first + position);
  return [
    object('v1', 'Service', app, namespace, {
      metadata: { labels: { app } },
      spec: { type: 'ClusterIP', selector: { app }, ports: [{ port: 80, name: 'http', targetPort: 8080 }] },
    }),
    object('apps/v1', 'ReplicaSet', `${app}-1`, namespace, {
      metadata: { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: app, controller: true }] },
    }),
    object('apps/v1', 'Deployment', app, namespace, { spec: { template: { metadata: { labels: { app } } } } }),
    object('discovery.k8s.io/v1', 'EndpointSlice', `${app}-1`, namespace, {
      metadata: { labels: { 'kubernetes.io/service-name': app } },
      addressType: 'IPv4',
      endpoints: pods.map((pod) => ({
        addresses: [address(pod)],
        conditions: { ready: true },
        nodeName: 'node-1',
        targetRef: { kind: 'Pod', name: `${app}-${pod}`, namespace },
      })),
      ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
    }),
  ];
}

function controlPlane(): KubeObject {
  const containers = [{ name: 'discovery', image: 'registry.example/pilot:1.30.0' }];
  const template = { metadata: { labels: { app: 'istiod' } }, spec: { serviceAccountName: 'istiod', containers } };
  return object('apps/v1', 'Deployment', 'istiod', 'istio-system', { spec: { template } });
}

function node(): KubeObject {
  const labels = { 'topology.kubernetes.io/region': 'region-1', 'topology.kubernetes.io/zone': 'region-1-a' };
  return object('v1', 'Node', 'node-1', '', {
    metadata: { labels },
    status: { addresses: [{ type: 'InternalIP', address: '10.0.0.1' }] },
  });
}

function object(
  apiVersion: string,
  kind: string,
  name: string,
  namespace: string,
  { metadata = {}, ...rest }: { readonly metadata?: object } & Record<string, unknown>,
): KubeObject {
  const named = { name, ...(namespace === '' ? {} : { namespace }), ...metadata };
  return { apiVersion, kind, metadata: named, ...rest } as unknown as KubeObject;
}

function appOf(pod: number): string {
  return `app-${Math.floor(pod / PODS_PER_SERVICE)}`;
}

function namespaceOf(pod: number): string {
  return `team-${Math.floor(pod / PODS_PER_SERVICE / SERVICES_PER_NAMESPACE)}`;
}

function address(pod: number): string {
  return `10.${(pod >>> 16) & 0xff}.${(pod >>> 8) & 0xff}.${pod & 0xff}`;
}
