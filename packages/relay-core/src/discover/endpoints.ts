/** Endpoints of Services from their EndpointSlices, with the locality of their nodes. */
import type { EndpointSubset, KubeObject } from '@meshrelay/api';
import { type Collection, type EndpointSlice, type Index, key, type Read } from '@meshrelay/plugin';
import type { Graph } from '../graph/collection.ts';
import type { Locality } from './nodes.ts';
import type { PodFacts } from './pods.ts';

/** EndpointSlices by `key(namespace, service)`. */
export function slicesByService(graph: Graph, slices: Collection<KubeObject>): Index<EndpointSlice> {
  return graph.index(slices as Collection<EndpointSlice>, 'discover/slices-by-service', ({ metadata }) => {
    const service = metadata.labels?.['kubernetes.io/service-name'];
    return service === undefined ? [] : [key(metadata.namespace ?? '', service)];
  });
}

export interface EndpointInputs {
  readonly slices: Index<EndpointSlice>;
  readonly pods: Collection<PodFacts>;
  readonly localities: Collection<Locality>;
}

/** The ready endpoints of a Service as the Destination shows them, ordered by address; and the nodes they run on. */
export function readyEndpoints(
  inputs: EndpointInputs,
  read: Read,
  namespace: string,
  service: string,
): {
  readonly subsets: readonly EndpointSubset[];
  readonly nodes: readonly string[];
  readonly region: string | undefined;
} {
  const nodes = new Set<string>();
  const subsets: EndpointSubset[] = [];
  for (const [, slice] of read.by(inputs.slices, key(namespace, service))) {
    const endpoints = (slice.endpoints ?? []).filter((endpoint) => endpoint.conditions?.ready !== false);
    if (endpoints.length === 0) continue;
    for (const { nodeName } of endpoints) if (nodeName !== undefined) nodes.add(nodeName);
    subsets.push({
      endpoints: endpoints.flatMap((endpoint) => endpointsOf(endpoint, namespace, inputs, read)).sort(byAddress),
      ports: (slice.ports ?? []).flatMap(({ port, name, protocol, appProtocol }) =>
        port === undefined
          ? []
          : [
              {
                port,
                name: name ?? '',
                protocol: protocol ?? 'TCP',
                ...(appProtocol === undefined ? {} : { appProtocol }),
              },
            ],
      ),
    });
  }
  const names = [...nodes].sort();
  const region = names
    .map((node) => read.get(inputs.localities, key('', node))?.region)
    .find((found) => found !== undefined);
  return { subsets, nodes: names, region };
}

type SliceEndpoint = NonNullable<EndpointSlice['endpoints']>[number];
type Endpoint = EndpointSubset['endpoints'][number];

function endpointsOf(endpoint: SliceEndpoint, namespace: string, inputs: EndpointInputs, read: Read): Endpoint[] {
  const { targetRef, nodeName } = endpoint;
  const pod =
    targetRef?.kind === 'Pod' && targetRef.name !== undefined
      ? read.get(inputs.pods, key(targetRef.namespace ?? namespace, targetRef.name))
      : undefined;
  const locality = nodeName === undefined ? undefined : read.get(inputs.localities, key('', nodeName));
  const zone = endpoint.zone ?? locality?.zone;
  const subZone = locality?.subZone;
  return endpoint.addresses.map((ipAddress) => ({
    ipAddress,
    labels: pod?.labels ?? {},
    ...(zone === undefined ? {} : { subLocality: { zone, ...(subZone === undefined ? {} : { subZone }) } }),
  }));
}

function byAddress(a: Endpoint, b: Endpoint): number {
  return a.ipAddress < b.ipAddress ? -1 : a.ipAddress > b.ipAddress ? 1 : 0;
}
