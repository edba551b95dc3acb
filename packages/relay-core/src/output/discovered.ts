/** Discovered objects as the management cluster shows them: uniquely named, in the management namespace, referring to each other. */
import type { Destination, Mesh, Workload } from '@meshrelay/api';
import type { Collection, Graph, Read } from '../graph/collection.ts';
import { type Key, key, partsOf } from '../graph/key.ts';
import type { Hasher } from '../input/canonical.ts';
import { uniqueNames } from '../resolve/names.ts';
import type { World } from '../store/world.ts';
import { OWNER_LABEL } from './ownership.ts';

/** The cluster an object was discovered in. */
export const CLUSTER_LABEL = 'meshrelay.dev/cluster';

export type DiscoveredObject = Mesh | Workload | Destination;

/** Discovered objects in their global form, under `key(kind, name)`, and the names of destinations under the destinations' own keys. */
export interface Discovered {
  readonly objects: Collection<DiscoveredObject>;
  readonly destinationNames: Collection<string>;
}

/** Every discovered object in its global form. */
export function discoveredObjects(
  graph: Graph,
  world: World,
  meshNames: Collection<string>,
  hash: Hasher,
  namespace: string,
): Discovered {
  const meshRef = (
    read: Read,
    cluster: string,
    mesh: { readonly name: string; readonly namespace: string } | undefined,
  ) => {
    const name = mesh === undefined ? undefined : read.get(meshNames, key(cluster, mesh.namespace, mesh.name));
    return name === undefined ? {} : { mesh: { name, namespace } };
  };
  const globalise = <O extends DiscoveredObject>(
    kind: O['kind'],
    objects: Collection<O>,
    names: Collection<string>,
    specOf: (object: O, read: Read, cluster: string) => O['spec'],
  ): Collection<DiscoveredObject> =>
    graph.deriveMany(`output/discovered-${kind}`, objects, (object, read, objectKey) => {
      const name = read.get(names, objectKey);
      const [cluster = ''] = partsOf(objectKey);
      if (name === undefined) return [];
      const metadata = { name, namespace, labels: { [CLUSTER_LABEL]: cluster, [OWNER_LABEL]: namespace } };
      const global = { apiVersion: object.apiVersion, kind, metadata, spec: specOf(object, read, cluster) };
      return [[key(kind, name), global as DiscoveredObject] as const];
    });
  const localName = (object: DiscoveredObject, objectKey: Key) =>
    `${object.metadata.name}-${object.metadata.namespace}-${partsOf(objectKey)[0]}`;
  const workloadNames = uniqueNames(graph, 'output/workload-names', world.workloads, workloadName, hash);
  const destinationNames = uniqueNames(graph, 'output/destination-names', world.destinations, localName, hash);
  const objects = graph.join('output/discovered', [
    globalise<Mesh>('Mesh', world.meshes, meshNames, ({ spec }) => spec),
    globalise<Workload>('Workload', world.workloads, workloadNames, ({ spec: { mesh, ...spec } }, read, cluster) => ({
      ...spec,
      ...meshRef(read, cluster, mesh),
    })),
    globalise<Destination>(
      'Destination',
      world.destinations,
      destinationNames,
      ({ spec: { mesh, ...spec } }, read, cluster) => ({
        ...spec,
        ...meshRef(read, cluster, mesh),
      }),
    ),
  ]);
  return { objects, destinationNames };
}

function workloadName({ spec }: Workload): string {
  const { name, namespace, clusterName, kind } = spec.kubernetes.controller;
  return `${name}-${namespace}-${clusterName}-${kind.toLowerCase()}`;
}
