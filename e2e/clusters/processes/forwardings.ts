/** Where the service proxy of a cluster listens, and the endpoints behind. */

export interface Service {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: {
    readonly clusterIPs?: readonly string[];
    readonly ports?: readonly ServicePort[];
  };
  readonly status?: { readonly loadBalancer?: { readonly ingress?: readonly { readonly ip?: string }[] } };
}

interface ServicePort {
  readonly name?: string;
  readonly protocol?: string;
  readonly port: number;
  readonly nodePort?: number;
}

export interface EndpointSlice {
  readonly metadata: { readonly namespace: string; readonly labels?: Readonly<Record<string, string>> };
  readonly endpoints?: readonly {
    readonly addresses: readonly string[];
    readonly conditions?: { readonly ready?: boolean };
  }[];
  readonly ports?: readonly { readonly name?: string; readonly port?: number }[];
}

export interface Backend {
  readonly address: string;
  readonly port: number;
}

export interface Forwarding extends Backend {
  readonly protocol: string;
  /** Ready endpoints. */
  readonly backends: readonly Backend[];
}

const SERVICE_LABEL = 'kubernetes.io/service-name';

export function forwardings(
  services: readonly Service[],
  slices: readonly EndpointSlice[],
  nodeAddress: string,
): readonly Forwarding[] {
  return services.flatMap((service) => {
    const { metadata, spec, status } = service;
    const own = slices.filter(
      (slice) =>
        slice.metadata.namespace === metadata.namespace && slice.metadata.labels?.[SERVICE_LABEL] === metadata.name,
    );
    const addresses = [
      ...(spec.clusterIPs ?? []).filter((address) => address !== 'None'),
      ...(status?.loadBalancer?.ingress ?? []).flatMap(({ ip = [] }) => ip),
    ];
    return (spec.ports ?? []).flatMap(({ name = '', protocol = 'TCP', port, nodePort }) => {
      const backends = own.flatMap((slice) => backendsOf(slice, name));
      return [
        ...addresses.map((address) => ({ protocol, address, port, backends })),
        ...(nodePort === undefined ? [] : [{ protocol, address: nodeAddress, port: nodePort, backends }]),
      ];
    });
  });
}

function backendsOf({ endpoints = [], ports = [] }: EndpointSlice, portName: string): readonly Backend[] {
  const port = ports.find(({ name = '' }) => name === portName)?.port;
  if (port === undefined) return [];
  return endpoints
    .filter(({ conditions }) => conditions?.ready !== false)
    .flatMap(({ addresses }) => addresses.map((address) => ({ address, port })));
}
