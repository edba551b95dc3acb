/** A Service with its pods and endpoints, from their short form. */
import type { KubeObject } from '@meshrelay/api';
import { type PodSpec, podObject } from './pod-object.ts';
import { type ServicePort, servicePort } from './service-port.ts';

/** A Service and its backends. */
export interface ServiceSpec {
  /**
   * `name:port`, `name:port:targetPort`, `name:port:targetPort:nodePort`; `:port` has no name; `/UDP` at the end of a
   * name.
   */
  readonly ports: readonly string[];
  /** One pod for each, labelled `version`; omitted: v1. Empty: a Service without pods. */
  readonly versions?: readonly string[];
  /** One pod for each, with that ServiceAccount and without a version, instead of `versions`. */
  readonly accounts?: readonly string[];
  /** ServiceAccount of all pods; omitted: the Service's name. */
  readonly account?: string;
  /** Whether the pods are injected, or the versions whose pods are. Default: true. */
  readonly sidecars?: boolean | readonly string[];
  /** Of the pods, such as the revision of their control plane. */
  readonly podAnnotations?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  /** Of the Service. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Default: `app: <name>`; null: no selector. */
  readonly selector?: Readonly<Record<string, string>> | null;
  /** Numbers of named target ports. */
  readonly containerPorts?: Readonly<Record<string, number>>;
  /** Further fields of the Service's spec. */
  readonly spec?: Readonly<Record<string, unknown>>;
  /** Addresses of its load balancer: IP addresses or host names. */
  readonly loadBalancer?: string | readonly string[];
  /** Of the pods, one each; omitted: generated. */
  readonly addresses?: readonly string[];
}

/** The location of a Service's pods. */
export interface ServicePlace {
  /** The first three numbers of the pods' addresses. */
  readonly network: string;
  /** Names; pods are placed on them in turn. */
  readonly nodes: readonly string[];
  /** Adds a pod to the mesh. */
  readonly injected: (pod: KubeObject) => KubeObject;
}

/** The objects of a Service of this `<name>.<namespace>`. */
export function serviceObjects(fullName: string, spec: ServiceSpec, place: ServicePlace): KubeObject[] {
  const [name = '', namespace = 'default'] = fullName.split('.');
  const ports = spec.ports.map(servicePort);
  const pods = podsOf(name, namespace, spec, place);
  return [
    serviceObject(name, namespace, spec, ports),
    ...pods.map((pod) => (hasSidecar(pod, spec) ? place.injected(podObject(pod)) : podObject(pod))),
    ...(pods.length === 0 ? [] : [endpointSlice(name, namespace, spec, ports, pods)]),
  ] as unknown as KubeObject[];
}

function hasSidecar({ labels = {} }: PodSpec, { sidecars = true }: ServiceSpec): boolean {
  return typeof sidecars === 'boolean' ? sidecars : sidecars.includes(labels['version'] ?? '');
}

function podsOf(name: string, namespace: string, spec: ServiceSpec, { network, nodes }: ServicePlace): PodSpec[] {
  const { versions = ['v1'], accounts, account = name, podAnnotations = {} } = spec;
  const labels = { app: name, ...spec.selector };
  const reported =
    accounts?.map((own, index) => ({ name: `${name}-${index}`, account: own, labels })) ??
    versions.map((version) => ({ name: `${name}-${version}`, account, labels: { ...labels, version } }));
  return reported.map((pod, index) => ({
    ...pod,
    namespace,
    node: nodes[index % nodes.length] ?? '',
    address: spec.addresses?.[index] ?? `${network}.${index + 1}`,
    annotations: podAnnotations,
  }));
}

function serviceObject(name: string, namespace: string, spec: ServiceSpec, ports: readonly ServicePort[]): object {
  const { selector = { app: name }, annotations, loadBalancer } = spec;
  const type = loadBalancer === undefined ? {} : { type: 'LoadBalancer' };
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name,
      namespace,
      labels: { app: name, ...spec.labels },
      ...(annotations === undefined ? {} : { annotations }),
    },
    spec: { ...type, ...(selector === null ? {} : { selector }), ports, ...spec.spec },
  };
  if (loadBalancer === undefined) return service;
  const ingress = [loadBalancer]
    .flat()
    .map((address) => (/^[\d.]+$|:/.test(address) ? { ip: address } : { hostname: address }));
  return { ...service, status: { loadBalancer: { ingress } } };
}

function endpointSlice(
  name: string,
  namespace: string,
  { containerPorts = {} }: ServiceSpec,
  ports: readonly ServicePort[],
  pods: readonly PodSpec[],
): object {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: `${name}-1`, namespace, labels: { 'kubernetes.io/service-name': name } },
    addressType: pods.some(({ address }) => address.includes(':')) ? 'IPv6' : 'IPv4',
    endpoints: pods.map((pod) => ({
      addresses: [pod.address],
      conditions: { ready: true },
      nodeName: pod.node,
      targetRef: { kind: 'Pod', name: pod.name, namespace },
    })),
    ports: ports.map(({ name: portName, protocol, targetPort }) => ({
      name: portName,
      protocol,
      port: typeof targetPort === 'number' ? targetPort : (containerPorts[targetPort] ?? 0),
    })),
  };
}
