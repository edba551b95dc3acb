/** Gateways that no workload serves, or that listen where no Service takes connections to their workload. */
import { type Analysed, type Analyzer, namespaceOf, ofKind, selects, titleOf } from './objects.ts';

/** The ingress gateway that every installation of Istio brings: analyzers count on it where a fixture shows none. */
const DEFAULT_GATEWAY: readonly Analysed[] = [
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'istio-ingressgateway', namespace: 'istio-system', labels: { istio: 'ingressgateway' } },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'istio-ingressgateway', namespace: 'istio-system' },
    spec: { selector: { istio: 'ingressgateway' }, ports: [{ port: 80 }, { port: 443 }] },
  },
];

/** A Gateway whose selector no pod has, and one with a server on a port that no Service of those pods sends to. */
export const gatewayPorts: Analyzer = (objects) => {
  const all = [...objects, ...DEFAULT_GATEWAY];
  return ofKind(objects, 'Gateway').flatMap((gateway) => {
    const pods = ofKind(all, 'Pod').filter(({ metadata }) => selects(gateway.spec.selector ?? {}, metadata.labels));
    if (pods.length === 0) return [{ message: 'ReferencedResourceNotFound', object: titleOf(gateway) }];
    const open = new Set(pods.flatMap((pod) => portsSentTo(pod, all)));
    return (gateway.spec.servers ?? [])
      .filter(({ port }: { port: { number: number } }) => !open.has(port.number))
      .map(() => ({ message: 'GatewayPortNotDefinedOnService', object: titleOf(gateway) }));
  });
};

/**
 * Istio's own analyzer does not follow a target port by name and takes the Service's port for it. Its istiod does follow it, and so does this:
 * we name the port that the gateway listens on, of which the analyzer would complain without reason.
 */
function portsSentTo(pod: Analysed, objects: readonly Analysed[]): number[] {
  return ofKind(objects, 'Service')
    .filter((service) => namespaceOf(service) === namespaceOf(pod))
    .filter(({ spec }) => spec?.selector !== undefined && selects(spec.selector, pod.metadata.labels))
    .flatMap((service) => ((service.spec.ports ?? []) as readonly ServicePort[]).map((port) => ({ service, port })))
    .filter(({ port: { protocol = 'TCP' } }) => protocol === 'TCP')
    .flatMap(({ service, port: { name, port, targetPort = port } }) =>
      typeof targetPort === 'number' ? targetPort : servedPorts(service, name, objects),
    );
}

interface ServicePort {
  readonly name?: string;
  readonly port: number;
  readonly protocol?: string;
  readonly targetPort?: number | string;
}

/** The numbers that a Service's port has come to on its pods. */
function servedPorts(service: Analysed, name: string | undefined, objects: readonly Analysed[]): number[] {
  return ofKind(objects, 'EndpointSlice')
    .filter((slice) => namespaceOf(slice) === namespaceOf(service))
    .filter(({ metadata: { labels = {} } }) => labels['kubernetes.io/service-name'] === service.metadata.name)
    .flatMap((slice) => (slice as { ports?: ReadonlyArray<{ name?: string; port: number }> }).ports ?? [])
    .filter((port) => port.name === name)
    .map(({ port }) => port);
}
