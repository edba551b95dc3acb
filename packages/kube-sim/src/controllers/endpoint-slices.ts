/** EndpointSlices: for each Service with a selector, the addresses of its pods. */
import type { KubeObject } from '../object.ts';
import type { ControllerStore, ObjectEvent, ObjectRef } from '../storage/controller-store.ts';
import type { Controller, OnFault } from './controller.ts';
import { type Endpoint, type EndpointPort, endpointOf, portsFor } from './endpoints.ts';
import { hasLabels } from './has-labels.ts';
import { ENDPOINT_SLICE, NODE, POD, SERVICE } from './kinds.ts';
import { controllerReference } from './owners.ts';
import { refOf, startLoop } from './reconcile-loop.ts';
import { nameSuffix } from './stable-hash.ts';

const SERVICE_NAME = 'kubernetes.io/service-name';
const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
const MANAGER = 'endpointslice-controller.k8s.io';
/** Maximum number of endpoints in one slice. */
const SLICE_SIZE = 100;

/** Maintains the EndpointSlices of Services. */
export function startEndpointSlices(
  store: ControllerStore,
  { onFault }: { readonly onFault?: OnFault | undefined } = {},
): Controller {
  return startLoop({
    name: 'EndpointSlice',
    store,
    watches: [
      { kind: SERVICE, refs: (event) => [refOf(event)] },
      { kind: POD, refs: (event) => servicesOf(store, event) },
      { kind: NODE, refs: () => store.list(SERVICE).map((object) => refOf({ object })) },
      { kind: ENDPOINT_SLICE, refs: ({ object }) => sliceOwner(object) },
    ],
    reconcile: (ref) => reconcile(store, ref),
    onFault,
  });
}

function servicesOf(store: ControllerStore, { object, previous }: ObjectEvent): ObjectRef[] {
  const pods = previous === undefined ? [object] : [object, previous];
  return store
    .list(SERVICE, object.metadata.namespace)
    .filter((service) => pods.some(({ metadata }) => selects(service, metadata.labels)))
    .map((service) => refOf({ object: service }));
}

function sliceOwner({ metadata: { labels = {}, namespace = '' } }: KubeObject): ObjectRef[] {
  const name = labels[MANAGED_BY] === MANAGER ? labels[SERVICE_NAME] : undefined;
  return name === undefined ? [] : [{ namespace, name }];
}

function selects(service: KubeObject, labels: KubeObject['metadata']['labels']): boolean {
  const selector = service['spec']?.selector;
  return selector !== undefined && selector !== null && Object.keys(selector).length > 0 && hasLabels(selector, labels);
}

function reconcile(store: ControllerStore, ref: ObjectRef): void {
  const service = store.get(SERVICE, ref);
  const existing = store
    .list(ENDPOINT_SLICE, ref.namespace)
    .filter(({ metadata: { labels = {} } }) => labels[MANAGED_BY] === MANAGER && labels[SERVICE_NAME] === ref.name);
  const leaving = service === undefined || service.metadata.deletionTimestamp !== undefined;
  const requested = leaving ? [] : slicesOf(store, service);
  for (const slice of requested) {
    const live = existing.find(({ metadata }) => metadata.name === slice.metadata.name);
    if (live === undefined) store.create(slice);
    else store.update({ ...live, ...slice, metadata: { ...live.metadata, ...slice.metadata } });
  }
  const stale = existing.filter(({ metadata }) => requested.every((slice) => slice.metadata.name !== metadata.name));
  for (const object of stale) store.delete(ENDPOINT_SLICE, refOf({ object }));
}

/** Slices for each set of ports of the pods, split by size; a Service without pods has one empty slice. */
function slicesOf(store: ControllerStore, service: KubeObject): KubeObject[] {
  const { type, selector } = service['spec'] ?? {};
  if (type === 'ExternalName' || !selector || Object.keys(selector).length === 0) return [];
  const pods = store.list(POD, service.metadata.namespace).filter(({ metadata }) => selects(service, metadata.labels));
  const groups = new Map<string, { ports: EndpointPort[]; endpoints: Endpoint[] }>();
  for (const pod of pods) {
    const endpoint = endpointOf(store, service, pod);
    if (endpoint === undefined) continue;
    const ports = portsFor(service, pod);
    const group = groups.get(JSON.stringify(ports)) ?? { ports, endpoints: [] };
    groups.set(JSON.stringify(ports), group);
    group.endpoints.push(endpoint);
  }
  if (groups.size === 0) return [slice(service, [], { ports: portsFor(service, undefined), part: 0 })];
  return [...groups.values()].flatMap(({ ports, endpoints }) => {
    const parts = Math.ceil(endpoints.length / SLICE_SIZE);
    return Array.from({ length: parts }, (_, part) =>
      slice(service, endpoints.slice(part * SLICE_SIZE, (part + 1) * SLICE_SIZE), { ports, part }),
    );
  });
}

function slice(
  service: KubeObject,
  endpoints: readonly Endpoint[],
  { ports, part }: { readonly ports: readonly EndpointPort[]; readonly part: number },
): KubeObject {
  const { name, namespace = '', labels = {} } = service.metadata;
  const headless = service['spec'].clusterIP === 'None';
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: `${name}-${nameSuffix(`${namespace}/${name}/${JSON.stringify(ports)}/${part}`)}`,
      generateName: `${name}-`,
      namespace,
      labels: {
        ...labels,
        [MANAGED_BY]: MANAGER,
        [SERVICE_NAME]: name,
        ...(headless ? { 'service.kubernetes.io/headless': '' } : {}),
      },
      ownerReferences: [controllerReference(service)],
    },
    addressType: 'IPv4',
    endpoints,
    ports,
  };
}
