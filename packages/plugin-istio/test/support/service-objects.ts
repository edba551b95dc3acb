/** A Service with its pods and endpoints. */
import type { KubeObject } from '@meshrelay/api';

export interface ServiceSpec {
  /** `name:port`, `name:port:targetPort`, `name:port:targetPort:nodePort`; `:port` has no name; `/UDP` at the end of a name. */
  readonly ports: readonly string[];
  /** One pod for each; omitted: v1. Empty: a Service without pods. */
  readonly versions?: readonly string[];
  /** ServiceAccount of the pods; omitted: the Service's name. */
  readonly account?: string;
  /** Omitted: true. */
  readonly sidecars?: boolean;
  /** The control plane's revision, on the pods. */
  readonly revision?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Omitted: `app: <name>`; null: none. */
  readonly selector?: Readonly<Record<string, string>> | null;
  /** Numbers that named target ports stand for. */
  readonly containerPorts?: Readonly<Record<string, number>>;
  /** Further fields of the Service's spec. */
  readonly spec?: Readonly<Record<string, unknown>>;
  /** An address of its load balancer: an IP address or a host name. */
  readonly loadBalancer?: string;
}

interface Port {
  readonly name: string;
  readonly port: number;
  readonly protocol: string;
  readonly targetPort: number | string;
  readonly nodePort?: number;
}

/** @param network the first three numbers of the pods' addresses */
export function serviceObjects(fullName: string, spec: ServiceSpec, network: string): KubeObject[] {
  const [name = '', namespace = 'default'] = fullName.split('.');
  const ports = spec.ports.map(portOf);
  const selector = spec.selector === null ? undefined : (spec.selector ?? { app: name });
  const versions = spec.versions ?? ['v1'];
  const pods = versions.map((version, index) => ({
    name: `${name}-${version}`,
    address: `${network}.${index + 1}`,
    labels: { app: name, ...selector, version },
  }));
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace, labels: { app: name, ...spec.labels } },
    spec: {
      ...(spec.loadBalancer === undefined ? {} : { type: 'LoadBalancer' }),
      ...(selector === undefined ? {} : { selector }),
      ports,
      ...spec.spec,
    },
    ...(spec.loadBalancer === undefined
      ? {}
      : {
          status: {
            loadBalancer: {
              ingress: [
                /^[\d.]+$/.test(spec.loadBalancer) ? { ip: spec.loadBalancer } : { hostname: spec.loadBalancer },
              ],
            },
          },
        }),
  };
  const slice = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: `${name}-1`, namespace, labels: { 'kubernetes.io/service-name': name } },
    addressType: 'IPv4',
    endpoints: pods.map((pod) => ({
      addresses: [pod.address],
      conditions: { ready: true },
      nodeName: 'node-1',
      targetRef: { kind: 'Pod', name: pod.name, namespace },
    })),
    ports: ports.map((port) => ({
      name: port.name,
      protocol: port.protocol,
      port: typeof port.targetPort === 'number' ? port.targetPort : (spec.containerPorts?.[port.targetPort] ?? 0),
    })),
  };
  return [
    service,
    ...pods.map((pod) => podObject(pod, namespace, name, spec)),
    ...(pods.length === 0 ? [] : [slice]),
  ] as unknown as KubeObject[];
}

function podObject(
  { name, address, labels }: { name: string; address: string; labels: Readonly<Record<string, string>> },
  namespace: string,
  service: string,
  { account = service, sidecars = true, revision }: ServiceSpec,
): object {
  const proxy = { name: 'istio-proxy', image: 'registry.example/istio/proxyv2:1.30.0' };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      labels,
      ...(revision === undefined ? {} : { annotations: { 'istio.io/rev': revision } }),
    },
    spec: {
      serviceAccountName: account,
      nodeName: 'node-1',
      containers: [{ name: 'app', image: 'registry.example/app:1' }, ...(sidecars ? [proxy] : [])],
    },
    status: { phase: 'Running', podIP: address },
  };
}

function portOf(text: string): Port {
  const [label = '', port = '', target = port, nodePort] = text.split(':');
  const [name = '', protocol = 'TCP'] = label.split('/');
  return {
    name,
    port: Number(port),
    protocol,
    targetPort: /^\d+$/.test(target) ? Number(target) : target,
    ...(nodePort === undefined ? {} : { nodePort: Number(nodePort) }),
  };
}
