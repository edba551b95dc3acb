/** Contribution of one pod to a Service: its address and the ports it serves. */
import type { KubeObject } from '../object.ts';
import type { ControllerStore } from '../storage/controller-store.ts';
import { isConditionTrue } from './conditions.ts';
import { NODE } from './kinds.ts';

/** One endpoint of an EndpointSlice. */
export interface Endpoint {
  readonly addresses: readonly string[];
  readonly conditions: { readonly ready: boolean; readonly serving: boolean; readonly terminating: boolean };
  readonly nodeName?: string;
  readonly zone?: string;
  readonly hostname?: string;
  readonly targetRef: { readonly kind: 'Pod'; readonly namespace: string; readonly name: string; readonly uid: string };
}

/** One port of an EndpointSlice. */
export interface EndpointPort {
  readonly name: string;
  readonly protocol: string;
  readonly port: number;
  readonly appProtocol?: string;
}

/** The endpoint of a pod; undefined while it has no address or after it has ended. */
export function endpointOf(store: ControllerStore, service: KubeObject, pod: KubeObject): Endpoint | undefined {
  const { phase, podIP } = pod['status'] ?? {};
  if (!podIP || phase === 'Succeeded' || phase === 'Failed') return undefined;
  const { nodeName, hostname, subdomain } = pod['spec'];
  const zone = store.get(NODE, { name: nodeName ?? '' })?.metadata.labels?.['topology.kubernetes.io/zone'];
  const serving = isConditionTrue(pod, 'Ready');
  const terminating = pod.metadata.deletionTimestamp !== undefined;
  const { name, namespace = '', uid = '' } = pod.metadata;
  return {
    addresses: [podIP],
    conditions: {
      ready: service['spec'].publishNotReadyAddresses === true || (serving && !terminating),
      serving,
      terminating,
    },
    ...(hostname !== undefined && subdomain === service.metadata.name ? { hostname } : {}),
    ...(nodeName === undefined ? {} : { nodeName }),
    targetRef: { kind: 'Pod', namespace, name, uid },
    ...(zone === undefined ? {} : { zone }),
  };
}

interface ServicePort {
  readonly name?: string;
  readonly port: number;
  readonly protocol?: string;
  readonly targetPort?: number | string;
  readonly appProtocol?: string;
}

/** The Service's ports as this pod serves them: a named target port only if a container has a port of that name. */
export function portsFor(service: KubeObject, pod: KubeObject | undefined): EndpointPort[] {
  const ports: readonly ServicePort[] = service['spec'].ports ?? [];
  return ports.flatMap(({ name = '', port, protocol = 'TCP', targetPort = port, appProtocol }) => {
    const number = typeof targetPort === 'number' ? targetPort : namedPort(pod, targetPort, protocol);
    if (number === undefined) return [];
    return [{ name, protocol, port: number, ...(appProtocol === undefined ? {} : { appProtocol }) }];
  });
}

function namedPort(pod: KubeObject | undefined, name: string, protocol: string): number | undefined {
  const containers: readonly { ports?: readonly { name?: string; containerPort: number; protocol?: string }[] }[] =
    pod?.['spec']?.containers ?? [];
  const ports = containers.flatMap((container) => container.ports ?? []);
  return ports.find((port) => port.name === name && (port.protocol ?? 'TCP') === protocol)?.containerPort;
}
