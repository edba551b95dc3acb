/** Gateways that no workload serves, or with a port that no Service forwards to their workload. */
import { type Analysed, type Analyzer, namespaceOf, ofKind, selects, titleOf } from './objects.ts';

/** The ingress gateway that every installation of Istio has: analyzers expect it if a fixture contains none. */
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

/** Reports a Gateway whose selector matches no pod, and one with a server on a port that no Service forwards to. */
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
 * Istio's own analyzer does not resolve a named target port and uses the Service's port instead. istiod resolves it,
 * and so does this analyzer. Generated Gateways name the port that the gateway listens on, which Istio's analyzer would
 * report without reason.
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

/** The container ports that a Service's port resolves to on its pods. */
function servedPorts(service: Analysed, name: string | undefined, objects: readonly Analysed[]): number[] {
  return ofKind(objects, 'EndpointSlice')
    .filter((slice) => namespaceOf(slice) === namespaceOf(service))
    .filter(({ metadata: { labels = {} } }) => labels['kubernetes.io/service-name'] === service.metadata.name)
    .flatMap((slice) => (slice as { ports?: ReadonlyArray<{ name?: string; port: number }> }).ports ?? [])
    .filter((port) => port.name === name)
    .map(({ port }) => port);
}
