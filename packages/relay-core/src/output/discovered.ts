/** Discovered objects as the management cluster shows them: uniquely named, in the management namespace, referring to each other. */
import type { Destination, Mesh, ObjectRef, Workload } from '@meshrelay/api';
import type { Collection, Graph } from '../graph/collection.ts';
import { type Key, key, partsOf } from '../graph/key.ts';
import type { Hasher } from '../input/canonical.ts';
import { uniqueNames } from '../resolve/names.ts';
import type { Resolved } from '../resolve/resolve.ts';
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
  { meshNames, clusterEndings: clusters }: Pick<Resolved, 'meshNames' | 'clusterEndings'>,
  hash: Hasher,
  namespace: string,
): Discovered {
  const meshRefs = graph.derive('output/mesh-references', meshNames, (name): ObjectRef => ({ name, namespace }));
  const localName = (object: DiscoveredObject, objectKey: Key) =>
    `${object.metadata.name}-${object.metadata.namespace}-${partsOf(objectKey)[0]}`;
  const workloadNames = uniqueNames(
    graph,
    'output/workload-names',
    { items: world.workloads, baseName: workloadName, ending: workloadKind, clusters },
    hash,
  );
  const destinationNames = uniqueNames(
    graph,
    'output/destination-names',
    { items: world.destinations, baseName: localName, clusters },
    hash,
  );
  const names: Readonly<Record<DiscoveredObject['kind'], Collection<string>>> = {
    Mesh: meshNames,
    Workload: workloadNames,
    Destination: destinationNames,
  };
  const { made: objects } = graph.gather<DiscoveredObject, DiscoveredObject, DiscoveredObject>(
    'output/discovered',
    [world.meshes, world.workloads, world.destinations],
    (object, read, objectKey) => {
      const { apiVersion, kind } = object;
      const name = read.get(names[kind], objectKey);
      if (name === undefined) return [];
      const [cluster = ''] = partsOf(objectKey);
      const metadata = { name, namespace, labels: { [CLUSTER_LABEL]: cluster, [OWNER_LABEL]: namespace } };
      const spec = globalSpec(object, (mesh) => read.get(meshRefs, key(cluster, mesh.namespace, mesh.name)));
      return [[key(kind, name), { apiVersion, kind, metadata, spec } as DiscoveredObject]];
    },
    // Names are unique.
    ([object]) => object,
  );
  return { objects, destinationNames };
}

/** The mesh by its name in the management namespace; without one that is not known. */
function globalSpec(
  object: DiscoveredObject,
  meshOf: (local: { readonly name: string; readonly namespace: string }) => ObjectRef | undefined,
): DiscoveredObject['spec'] {
  if (object.kind === 'Mesh') return object.spec;
  const { mesh: local, ...spec } = object.spec as Workload['spec'];
  const mesh = local === undefined ? undefined : meshOf(local);
  return mesh === undefined ? spec : { ...spec, mesh };
}

function workloadName({ spec }: Workload): string {
  const { name, namespace, clusterName } = spec.kubernetes.controller;
  return `${name}-${namespace}-${clusterName}`;
}

function workloadKind({ spec }: Workload): string {
  return spec.kubernetes.controller.kind.toLowerCase();
}
