/** A cluster as input of istiod: Kubernetes objects, Istio objects, and the pods whose proxies connect. */
import type { KubeObject } from '@meshrelay/api';
import { OBJECT_PATCH } from '@meshrelay/relay-core';
import { patchedMesh } from './patched-mesh.ts';

/** The input of `istiod proxies`. */
export interface IstioCluster {
  /** MeshConfig, in YAML. */
  readonly mesh: string;
  readonly kubernetes: readonly KubeObject[];
  readonly istio: readonly KubeObject[];
  readonly proxies: readonly Proxy[];
}

/** A pod whose proxy connects. */
export interface Proxy {
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly address: string;
  readonly account: string;
  readonly gateway: boolean;
  /** `region/zone`. */
  readonly locality: string;
  readonly node: string;
}

/** A pod without a Service: it calls other Services, also in clusters that have none. */
const CALLER: Proxy = {
  name: 'caller',
  namespace: 'callers',
  labels: { app: 'caller' },
  address: '10.255.255.1',
  account: 'caller',
  gateway: false,
  locality: '',
  node: '',
};

/** The fields of a pod that are read here. */
interface Pod extends KubeObject {
  readonly spec: {
    readonly nodeName?: string;
    readonly serviceAccountName?: string;
    readonly containers: ReadonlyArray<{ readonly name: string }>;
  };
  readonly status?: { readonly podIP?: string };
}

interface Gateway extends KubeObject {
  readonly spec: { readonly selector?: Readonly<Record<string, string>> };
}

/** The Service to which access log providers send. */
const AGENT = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'meshrelay-agent', namespace: 'meshrelay' },
  spec: { ports: [{ name: 'grpc', port: 9977 }] },
} as unknown as KubeObject;

export function isPatch({ kind }: KubeObject): boolean {
  return kind === OBJECT_PATCH.kind;
}

const READ = new Set(['Service', 'Pod', 'EndpointSlice', 'Node', 'Namespace']);

/**
 * The cluster that has these objects.
 * @param objects of all kinds; the first ConfigMap with a MeshConfig is used, and without one there is no Istio
 * @param written further Istio objects: the users', the generated ones, and generated patches of that ConfigMap
 */
export function istioCluster(objects: readonly KubeObject[], written: readonly KubeObject[]): IstioCluster | undefined {
  const found = objects.map(meshConfigOf).find((text) => text !== undefined);
  if (found === undefined) return undefined;
  const patches = written.filter(isPatch);
  const istio = written.filter((one) => !isPatch(one));
  const mesh = patches.length === 0 ? found : patchedMesh(found, patches);
  const kubernetes = (patches.length === 0 ? objects : [...objects, AGENT])
    .filter(({ kind }) => READ.has(kind))
    .map((one) => (isPod(one) ? running(one) : one));
  const nodes = new Map(kubernetes.filter(({ kind }) => kind === 'Node').map((node) => [node.metadata.name, node]));
  const gateways = istio.filter((one): one is Gateway => one.kind === 'Gateway').map(({ spec }) => spec.selector ?? {});
  const proxies = kubernetes.filter(isPod).flatMap((pod) => proxyOf(pod, nodes, gateways) ?? []);
  return { mesh, kubernetes, istio, proxies: [...proxies, CALLER] };
}

function meshConfigOf(object: KubeObject): string | undefined {
  if (object.kind !== 'ConfigMap') return undefined;
  return (object as KubeObject & { readonly data?: { readonly mesh?: string } }).data?.mesh;
}

function isPod(object: KubeObject): object is Pod {
  return object.kind === 'Pod';
}

/** As in a cluster: ready, and with the label by which Istio's injector marks pods that accept mutual TLS. */
function running(pod: Pod): Pod {
  const labels = { ...pod.metadata.labels, ...(isMember(pod) ? { 'security.istio.io/tlsMode': 'istio' } : {}) };
  const conditions = [{ type: 'Ready', status: 'True' }];
  return {
    ...pod,
    metadata: { ...pod.metadata, labels },
    status: { ...pod.status, conditions },
  } as Pod;
}

function isMember({ spec }: Pod): boolean {
  return spec.containers.some(({ name }) => name === 'istio-proxy');
}

/** @param gateways selectors of those that run at gateways */
function proxyOf(
  pod: Pod,
  nodes: ReadonlyMap<string, KubeObject>,
  gateways: ReadonlyArray<Readonly<Record<string, string>>>,
): Proxy | undefined {
  const { name, namespace = '', labels = {} } = pod.metadata;
  const { nodeName = '', serviceAccountName = 'default' } = pod.spec;
  const address = pod.status?.podIP;
  if (!isMember(pod) || address === undefined) return undefined;
  const topology = nodes.get(nodeName)?.metadata.labels ?? {};
  const places = [topology['topology.kubernetes.io/region'], topology['topology.kubernetes.io/zone']];
  return {
    ...{ name, namespace, labels, address, account: serviceAccountName, node: nodeName },
    gateway: gateways.some((selector) => Object.entries(selector).every(([label, value]) => labels[label] === value)),
    locality: places.filter((place) => place !== undefined).join('/'),
  };
}
