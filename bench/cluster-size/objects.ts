/** The objects of a large real cluster: nodes, and Services of four pods with sidecars of Istio. */
import type { KubeObject } from '@meshrelay/api';

/** Size of a cluster. */
export interface ClusterSize {
  readonly nodes: number;
  readonly pods: number;
}

/** An object with the status that its controllers would give it. */
export interface PlacedObject {
  /** Path of the collection on the API server. */
  readonly path: string;
  readonly object: KubeObject;
  /** Set by a second request: the API server ignores a status on creation. */
  readonly status?: object;
}

const PODS_PER_SERVICE = 4;
const SERVICES_PER_NAMESPACE = 25;
const ZONES = ['a', 'b', 'c'] as const;

/** In steps: all objects of a step exist before the next begins. */
export function clusterObjects({ nodes, pods }: ClusterSize): ReadonlyArray<readonly PlacedObject[]> {
  const services = Array.from({ length: Math.ceil(pods / PODS_PER_SERVICE) }, (_, service) => service);
  const namespaces = [...new Set(services.map(namespaceOf))];
  return [
    ['istio-system', ...namespaces].map(namespace),
    [
      ...Array.from({ length: nodes }, (_, index) => node(index)),
      ...services.map((service) => account(appOf(service), namespaceOf(service))),
      account('istiod', 'istio-system'),
    ],
    [controlPlane(), ...services.flatMap(serviceObjects)],
    Array.from({ length: pods }, (_, index) => podOf({ index, generation: 0, nodes })),
  ];
}

/** A pod, by its place among all pods and by how often it was replaced. */
export interface PodPlace {
  readonly index: number;
  readonly generation: number;
  readonly nodes: number;
}

export function podOf({ index, generation, nodes }: PodPlace): PlacedObject {
  const app = appOf(serviceOf(index));
  const name = podName(index, generation);
  const container = (of: string, image: string) => ({ name: of, image });
  return placed('v1', 'Pod', 'pods', name, namespaceOf(serviceOf(index)), {
    metadata: {
      labels: { app, version: index % 2 === 0 ? 'v1' : 'v2', 'pod-template-hash': '5d8f7c9b6d' },
      annotations: { 'sidecar.istio.io/status': '{"revision":"default","containers":["istio-proxy"]}' },
      ownerReferences: [owner('apps/v1', 'ReplicaSet', `${app}-5d8f7c9b6d`)],
    },
    spec: {
      serviceAccountName: app,
      automountServiceAccountToken: false,
      nodeName: `node-${index % nodes}`,
      containers: [
        container('app', 'registry.example/app:1'),
        container('istio-proxy', 'registry.example/proxyv2:1.30.0'),
      ],
    },
    status: { phase: 'Running', podIP: address(index, generation), podIPs: [{ ip: address(index, generation) }] },
  });
}

/** The endpoints of the Service that a pod belongs to, after `generationOf` replacements of each pod. */
export function endpointsOf(index: number, generationOf: (pod: number) => number): PlacedObject {
  const service = serviceOf(index);
  const first = service * PODS_PER_SERVICE;
  const namespace = namespaceOf(service);
  return placed('discovery.k8s.io/v1', 'EndpointSlice', 'endpointslices', `${appOf(service)}-1`, namespace, {
    metadata: { labels: { 'kubernetes.io/service-name': appOf(service) } },
    addressType: 'IPv4',
    endpoints: Array.from({ length: PODS_PER_SERVICE }, (_, position) => first + position).map((pod) => ({
      addresses: [address(pod, generationOf(pod))],
      conditions: { ready: true },
      targetRef: { kind: 'Pod', name: podName(pod, generationOf(pod)), namespace },
    })),
    ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
  });
}

export function podName(index: number, generation: number): string {
  return `${appOf(serviceOf(index))}-${index}-${generation}`;
}

function serviceObjects(service: number): PlacedObject[] {
  const app = appOf(service);
  const namespace = namespaceOf(service);
  const labels = { app };
  const workload = (name: string, more: object) => ({
    metadata: { labels, ...more },
    spec: {
      replicas: PODS_PER_SERVICE,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { serviceAccountName: app, containers: [{ name, image: 'registry.example/app:1' }] },
      },
    },
  });
  return [
    placed('v1', 'Service', 'services', app, namespace, {
      metadata: { labels },
      spec: { selector: labels, ports: [{ port: 80, name: 'http', targetPort: 8080 }] },
    }),
    placed('apps/v1', 'Deployment', 'deployments', app, namespace, workload('app', {})),
    placed(
      'apps/v1',
      'ReplicaSet',
      'replicasets',
      `${app}-5d8f7c9b6d`,
      namespace,
      workload('app', { ownerReferences: [owner('apps/v1', 'Deployment', app)] }),
    ),
    endpointsOf(service * PODS_PER_SERVICE, () => 0),
  ];
}

function controlPlane(): PlacedObject {
  const labels = { app: 'istiod', 'istio.io/rev': 'default' };
  const containers = [{ name: 'discovery', image: 'registry.example/pilot:1.30.0' }];
  return placed('apps/v1', 'Deployment', 'deployments', 'istiod', 'istio-system', {
    metadata: { labels },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { serviceAccountName: 'istiod', containers } },
    },
  });
}

function namespace(name: string): PlacedObject {
  return placed('v1', 'Namespace', 'namespaces', name, '', {});
}

function account(name: string, of: string): PlacedObject {
  return placed('v1', 'ServiceAccount', 'serviceaccounts', name, of, {});
}

function node(index: number): PlacedObject {
  const zone = `region-1-${ZONES[index % ZONES.length]}`;
  const labels = { 'topology.kubernetes.io/region': 'region-1', 'topology.kubernetes.io/zone': zone };
  const addresses = [{ type: 'InternalIP', address: `10.1.${index >> 8}.${index & 255}` }];
  return placed('v1', 'Node', 'nodes', `node-${index}`, '', { metadata: { labels }, status: { addresses } });
}

function placed(
  apiVersion: string,
  kind: string,
  plural: string,
  name: string,
  of: string,
  {
    metadata = {},
    status,
    ...fields
  }: { readonly metadata?: object; readonly status?: object; readonly [field: string]: unknown },
): PlacedObject {
  const root = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
  return {
    path: of === '' ? `${root}/${plural}` : `${root}/namespaces/${of}/${plural}`,
    object: {
      apiVersion,
      kind,
      metadata: { name, ...(of === '' ? {} : { namespace: of }), ...metadata },
      ...fields,
    } as KubeObject,
    ...(status === undefined ? {} : { status }),
  };
}

/** No garbage collector runs here that would compare the UID. */
const owner = (apiVersion: string, kind: string, name: string) => ({
  apiVersion,
  kind,
  name,
  uid: `uid-${name}`,
  controller: true,
});

const serviceOf = (pod: number): number => Math.floor(pod / PODS_PER_SERVICE);
const appOf = (service: number): string => `app-${service}`;
const namespaceOf = (service: number): string => `team-${Math.floor(service / SERVICES_PER_NAMESPACE)}`;

/** Of another /9 for every other generation. */
function address(index: number, generation: number): string {
  return `10.${128 + (generation % 100)}.${(index >> 8) & 255}.${index & 255}`;
}
