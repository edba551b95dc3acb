/** Destinations: the Services of a cluster, with the mesh of their workloads. */
import type { Destination, DestinationSpec, JsonObject, KubeObject, SubsetValues } from '@meshrelay/api';
import {
  type Collection,
  type Group,
  type Key,
  key,
  type Read,
  type Service,
  type ServicePort,
} from '@meshrelay/plugin';
import type { Graph } from '../graph/collection.ts';
import { type EndpointInputs, readyEndpoints } from './endpoints.ts';
import { externalAddresses, type NodeInputs } from './external-addresses.ts';
import type { PodFacts } from './pods.ts';
import { type Ordinals, rolloutValues } from './rollout-labels.ts';
import { controllerKey } from './templates.ts';

/** The properties of a pod that matter to the Services that select it. */
interface Backing {
  readonly labels: Readonly<Record<string, string>>;
  readonly rolloutLabels: Readonly<Record<string, string>>;
  readonly controller: PodFacts['controller'];
  readonly serviceAccount: string;
  readonly mesh: PodFacts['mesh'];
}

export interface DestinationInputs extends EndpointInputs, NodeInputs {
  readonly services: Collection<KubeObject>;
  /** The possible backends of Services: pods, and templates of controllers without pods. */
  readonly backers: Collection<PodFacts>;
  /** Under the keys of the StatefulSets' controllers. */
  readonly ordinals: Collection<Ordinals>;
  /** Details that plugins discovered about Services, by the names of the plugins. */
  readonly details: ReadonlyArray<readonly [plugin: string, found: Collection<JsonObject>]>;
}

/** A Destination for each Service, under `key(namespace, name)`. */
export function destinations(graph: Graph, cluster: string, inputs: DestinationInputs): Collection<Destination> {
  const services = inputs.services as Collection<Service>;
  const pairs = graph.match('discover/pods-of-service', services, inputs.backers, {
    candidateBuckets: (service) => selectorBucket(service),
    bucketsOf: (pod) => Object.entries(pod.labels).map(([name, value]) => key(pod.namespace, name, value)),
    matches: (service, pod) => Object.entries(selectorOf(service)).every(([name, value]) => pod.labels[name] === value),
  });
  const backing = graph.derive('discover/backing', pairs, (pair, read) => {
    const pod = read.get(inputs.backers, pair.right);
    return pod === undefined
      ? undefined
      : {
          service: pair.left,
          labels: pod.labels,
          rolloutLabels: pod.rolloutLabels,
          controller: pod.controller,
          serviceAccount: pod.serviceAccount,
          mesh: pod.mesh,
        };
  });
  const backings = graph.group(
    'discover/backings',
    backing,
    ({ service, ...pod }): Array<readonly [string, Backing]> => [[service, pod]],
  );
  return graph.derive('discover/destinations', services, (service, read, serviceKey) =>
    destination(
      cluster,
      service,
      read.get(backings, serviceKey) ?? [],
      detailsOf(serviceKey, inputs, read),
      inputs,
      read,
    ),
  );
}

/** Kubernetes ignores the selector of an ExternalName Service. */
function selectorOf({ spec }: Service): Readonly<Record<string, string>> {
  return spec?.type === 'ExternalName' ? {} : (spec?.selector ?? {});
}

/** One label of the selector finds the candidates; the whole selector decides. */
function selectorBucket(service: Service): string[] {
  const labels = Object.entries(selectorOf(service)).sort();
  const [name, value] = labels[0] ?? [];
  return name === undefined || value === undefined ? [] : [key(service.metadata.namespace ?? '', name, value)];
}

function detailsOf(serviceKey: Key, { details }: DestinationInputs, read: Read): DestinationSpec['details'] {
  const found = details.flatMap(([plugin, collection]) => {
    const reported = read.get(collection, serviceKey);
    return reported === undefined ? [] : [[plugin, reported] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

function destination(
  cluster: string,
  service: Service,
  backings: Group<Backing>,
  details: DestinationSpec['details'],
  inputs: DestinationInputs,
  read: Read,
): Destination {
  const { name, namespace = '', labels = {} } = service.metadata;
  const endpoints = readyEndpoints(inputs, read, namespace, name);
  const mesh = meshOf(backings);
  const serviceAccounts = [...new Set(backings.map(({ serviceAccount }) => serviceAccount))].sort();
  const withoutProxy = mesh === undefined ? [] : workloadsWithoutProxy(backings);
  return {
    apiVersion: 'discovery.meshrelay.dev/v1alpha1',
    kind: 'Destination',
    metadata: { name, namespace },
    spec: {
      kubeService: {
        ref: { name, namespace, clusterName: cluster },
        workloadSelectorLabels: selectorOf(service),
        ...(serviceAccounts.length === 0 ? {} : { serviceAccounts }),
        ...(withoutProxy.length === 0 ? {} : { workloadsWithoutProxy: withoutProxy }),
        labels,
        ports: (service.spec?.ports ?? []).map(portOf),
        subsets: subsetsOf(backings, ordinalsOf(backings, inputs, read)),
        ...(endpoints.region === undefined ? {} : { region: endpoints.region }),
        endpointSubsets: endpoints.subsets,
        externalAddresses: externalAddresses(service, endpoints.nodes, inputs, read),
        serviceType: serviceType(service),
        ...(service.spec?.clusterIP === 'None' ? { headless: true } : {}),
      },
      ...(mesh === undefined ? {} : { mesh }),
      ...(details === undefined ? {} : { details }),
    },
  };
}

/** If pods of several meshes belong to one Service, the first mesh by namespace and name: the same on every run. */
function meshOf(backings: Group<Backing>): { name: string; namespace: string } | undefined {
  const meshes = backings.flatMap((backing) => (backing.mesh === undefined ? [] : [backing.mesh]));
  const [first] = meshes.toSorted((a, b) => (key(a.namespace, a.name) < key(b.namespace, b.name) ? -1 : 1));
  return first === undefined ? undefined : { name: first.name, namespace: first.namespace };
}

function workloadsWithoutProxy(backings: Group<Backing>): string[] {
  const outside = backings.filter(({ mesh }) => mesh === undefined);
  return [...new Set(outside.map(({ controller: { kind, name } }) => `${kind}/${name}`))].sort();
}

type Port = NonNullable<Destination['spec']['kubeService']>['ports'][number];

function portOf({ port, name, protocol, appProtocol, targetPort, nodePort }: ServicePort): Port {
  return {
    port,
    name: name ?? '',
    protocol: protocol ?? 'TCP',
    ...(appProtocol === undefined ? {} : { appProtocol }),
    ...(typeof targetPort === 'number' ? { targetPortNumber: targetPort } : {}),
    ...(typeof targetPort === 'string' ? { targetPortName: targetPort } : {}),
    ...(nodePort === undefined ? {} : { nodePort }),
  };
}

function ordinalsOf(backings: Group<Backing>, { ordinals }: DestinationInputs, read: Read): Ordinals[] {
  const keys = new Set(backings.map(({ controller }) => controllerKey(controller)));
  return [...keys].sort().flatMap((controller) => read.get(ordinals, controller) ?? []);
}

/** Labels that distinguish the workloads of a Service: those with more than one value, and all rollout labels. */
function subsetsOf(backings: Group<Backing>, ordinals: readonly Ordinals[]): Record<string, SubsetValues> {
  const values = new Map<string, Set<string>>();
  for (const { labels } of backings) {
    for (const [name, value] of Object.entries(labels)) values.set(name, (values.get(name) ?? new Set()).add(value));
  }
  const reporting = [...values]
    .filter(([, found]) => found.size > 1)
    .map(([name, found]): readonly [string, SubsetValues] => [name, { values: [...found].sort() }]);
  const all = [...reporting, ...rolloutValues(backings, ordinals)];
  return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function serviceType(service: Service): 'CLUSTER_IP' | 'NODE_PORT' | 'LOAD_BALANCER' | 'EXTERNAL_NAME' {
  switch (service.spec?.type) {
    case 'NodePort':
      return 'NODE_PORT';
    case 'LoadBalancer':
      return 'LOAD_BALANCER';
    case 'ExternalName':
      return 'EXTERNAL_NAME';
    default:
      return 'CLUSTER_IP';
  }
}
