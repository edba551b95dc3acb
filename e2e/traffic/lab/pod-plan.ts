/** The processes of each pod of a cluster, from its objects alone. */
import type { KubeObject } from '@meshrelay/api';
import { parse } from 'yaml';

/** A pod to run. A change of any field makes it another pod. */
export interface LabPod {
  readonly cluster: string;
  readonly name: string;
  readonly namespace: string;
  readonly account: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly node: string;
  readonly locality: { readonly region?: string; readonly zone?: string };
  readonly address: string;
  /** Address of its Envoy's admin interface, from which nothing is redirected. */
  readonly admin: string;
  /** Whether an Envoy runs in addition to the application, or instead of it. */
  readonly proxy: boolean;
  readonly gateway: boolean;
  /**
   * Further addresses that lead to it, such as of load balancers, each with a port and the corresponding port of the
   * pod.
   */
  readonly exposed: readonly Exposed[];
  /** Ports of the application. */
  readonly ports: readonly number[];
  readonly trustDomain: string;
  /** Whether names that only the mesh has resolve in it. */
  readonly resolvesMeshNames: boolean;
}

/** An entry from outside the cluster. */
export interface Exposed {
  readonly address: string;
  readonly port: number;
  readonly target: number;
}

/** The fields of MeshConfig that are read here. */
export interface MeshConfig {
  readonly trustDomain?: string;
  readonly defaultConfig?: { readonly proxyMetadata?: Readonly<Record<string, string>> };
}

interface Pod extends KubeObject {
  readonly spec: {
    readonly nodeName?: string;
    readonly serviceAccountName?: string;
    readonly containers: ReadonlyArray<{ readonly name: string }>;
  };
  readonly status: { readonly podIP: string };
}

interface Service extends KubeObject {
  readonly spec: {
    readonly type?: string;
    readonly selector?: Readonly<Record<string, string>>;
    readonly ports?: ReadonlyArray<{
      readonly port: number;
      readonly targetPort?: number | string;
      readonly nodePort?: number;
    }>;
  };
  readonly status?: {
    readonly loadBalancer?: { readonly ingress?: ReadonlyArray<{ readonly ip?: string; readonly hostname?: string }> };
  };
}

interface Slice extends KubeObject {
  readonly endpoints?: ReadonlyArray<{ readonly addresses: readonly string[] }>;
  readonly ports?: ReadonlyArray<{ readonly port: number; readonly protocol?: string }>;
}

interface Node extends KubeObject {
  readonly status?: { readonly addresses?: ReadonlyArray<{ readonly address: string }> };
}

/** The configuration of a cluster's mesh; empty if it has none. */
export function meshConfigOf(objects: readonly KubeObject[]): MeshConfig {
  const found = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'istio');
  const text = (found as { readonly data?: { readonly mesh?: string } } | undefined)?.data?.mesh;
  return (text === undefined ? undefined : (parse(text) as MeshConfig | null)) ?? {};
}

/**
 * Every pod of a cluster with these objects, in their order. @param hostAddress the address for the host name of a load
 * balancer
 */
export function podPlans(
  cluster: string,
  objects: readonly KubeObject[],
  hostAddress: (name: string) => string,
): LabPod[] {
  const ofKind = <T extends KubeObject>(kind: string): T[] => objects.filter((one): one is T => one.kind === kind);
  const services = ofKind<Service>('Service');
  const nodes = new Map(ofKind<Node>('Node').map((node) => [node.metadata.name, node]));
  const { trustDomain = 'cluster.local', defaultConfig } = meshConfigOf(objects);
  const slices = ofKind<Slice>('EndpointSlice');
  return ofKind<Pod>('Pod').map((pod) => {
    const { name, namespace = 'default', labels = {}, annotations = {} } = pod.metadata;
    const { podIP: address } = pod.status;
    const proxy = pod.spec.containers.some((container) => container.name === 'istio-proxy');
    const node = pod.spec.nodeName ?? '';
    const topology = nodes.get(node)?.metadata.labels ?? {};
    const own = services.filter((service) => selects(service, namespace, labels));
    return {
      ...{ cluster, name, namespace, annotations, address, proxy, node, trustDomain },
      labels: proxy ? { ...labels, 'security.istio.io/tlsMode': 'istio' } : labels,
      account: pod.spec.serviceAccountName ?? 'default',
      admin: adminAddress(address),
      gateway: (labels['istio'] ?? '').endsWith('gateway'),
      locality: localityOf(topology),
      exposed: own.flatMap((service) => exposedBy(service, nodes, hostAddress)),
      ports: portsAt(address, slices),
      resolvesMeshNames: isTrue(defaultConfig?.proxyMetadata?.['ISTIO_META_DNS_CAPTURE']),
    };
  });
}

function selects({ spec, metadata }: Service, namespace: string, labels: LabPod['labels']): boolean {
  const selector = Object.entries(spec.selector ?? {});
  return (
    selector.length > 0 && metadata.namespace === namespace && selector.every(([key, value]) => labels[key] === value)
  );
}

function exposedBy(
  { spec, status }: Service,
  nodes: ReadonlyMap<string, Node>,
  hostAddress: (name: string) => string,
): Exposed[] {
  const ports = spec.ports ?? [];
  const balancers = (status?.loadBalancer?.ingress ?? []).map(({ ip, hostname = '' }) => ip ?? hostAddress(hostname));
  const onNodes = [...nodes.values()].flatMap((node) => (node.status?.addresses ?? []).map(({ address }) => address));
  return ports.flatMap(({ port, targetPort = port, nodePort }) => {
    const target = Number(targetPort);
    return [
      ...balancers.map((address) => ({ address, port, target })),
      ...(nodePort === undefined ? [] : onNodes.map((address) => ({ address, port: nodePort, target }))),
    ];
  });
}

function portsAt(address: string, slices: readonly Slice[]): number[] {
  const own = slices.filter(({ endpoints = [] }) => endpoints.some(({ addresses }) => addresses.includes(address)));
  const ports = own.flatMap(({ ports: all = [] }) => all.filter(({ protocol = 'TCP' }) => protocol === 'TCP'));
  return [...new Set(ports.map(({ port }) => port))].sort((one, other) => one - other);
}

function localityOf(labels: Readonly<Record<string, string>>): LabPod['locality'] {
  const { 'topology.kubernetes.io/region': region, 'topology.kubernetes.io/zone': zone } = labels;
  return { ...(region === undefined ? {} : { region }), ...(zone === undefined ? {} : { zone }) };
}

/** Pods of invented clusters have addresses below 10.200. */
function adminAddress(address: string): string {
  const [first = '', second = '', ...rest] = address.split('.');
  return [first, String(Number(second) + 200), ...rest].join('.');
}

/** As Go parses it. */
function isTrue(text = ''): boolean {
  return ['1', 't', 'T', 'true', 'TRUE', 'True'].includes(text);
}
