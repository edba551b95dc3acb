/** A Service with its pods and endpoints. */
import type { KubeObject } from '@meshrelay/api';
import { injected } from './osm-objects.ts';

export interface ServiceSpec {
  /** `name:port` or `name:port:targetPort`; `:port` has no name. */
  readonly ports: readonly string[];
  /** ServiceAccounts of its pods, one pod each; omitted: one of the Service's name; empty: no pods. */
  readonly accounts?: readonly string[];
  /** Omitted: true. */
  readonly sidecars?: boolean;
  readonly labels?: Readonly<Record<string, string>>;
  /** Omitted: `app: <name>`. */
  readonly selector?: Readonly<Record<string, string>>;
}

interface Port {
  readonly name: string;
  readonly port: number;
  readonly targetPort: number;
}

/** @param network the first three numbers of the pods' addresses */
export function serviceObjects(fullName: string, spec: ServiceSpec, network: string): KubeObject[] {
  const [name = '', namespace = 'default'] = fullName.split('.');
  const ports = spec.ports.map(portOf);
  const { selector = { app: name }, accounts = [name] } = spec;
  const pods = accounts.map((account, index) => ({
    name: `${name}-${index}`,
    account,
    address: `${network}.${index + 1}`,
  }));
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace, labels: { app: name, ...spec.labels } },
    spec: { selector, ports },
  };
  const slice = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: `${name}-1`, namespace, labels: { 'kubernetes.io/service-name': name } },
    addressType: 'IPv4',
    endpoints: pods.map((pod) => ({
      addresses: [pod.address],
      conditions: { ready: true },
      targetRef: { kind: 'Pod', name: pod.name, namespace },
    })),
    ports: ports.map((port) => ({ name: port.name, protocol: 'TCP', port: port.targetPort })),
  };
  return [
    service,
    ...pods.map((pod) => podObject(pod, namespace, selector, spec.sidecars ?? true)),
    ...(pods.length === 0 ? [] : [slice]),
  ] as unknown as KubeObject[];
}

function podObject(
  { name, account, address }: { readonly name: string; readonly account: string; readonly address: string },
  namespace: string,
  labels: Readonly<Record<string, string>>,
  sidecar: boolean,
): KubeObject {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels },
    spec: { serviceAccountName: account, containers: [{ name: 'app', image: 'registry.example/app:1' }] },
    status: { phase: 'Running', podIP: address },
  } as unknown as KubeObject;
  return sidecar ? injected(pod) : pod;
}

function portOf(text: string): Port {
  const [name = '', port = '', targetPort = port] = text.split(':');
  return { name, port: Number(port), targetPort: Number(targetPort) };
}
