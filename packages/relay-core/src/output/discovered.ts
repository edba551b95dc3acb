/**
 * Discovered objects as the management cluster shows them: with unique names, in the management namespace, with
 * references to each other.
 */
import type { Destination, Mesh, ObjectRef, Workload } from '@meshrelay/api';
import { CLUSTER_LABEL, type Collection, type Key, key, partsOf } from '@meshrelay/plugin';
import type { Graph } from '../graph/collection.ts';
import { MappedCollection } from '../graph/shown.ts';
import type { Hasher } from '../input/canonical.ts';
import { OWNER_LABEL } from '../input/managed-labels.ts';
import { Packed } from '../packed/packed.ts';
import { type Resolved, uniqueNames } from '../resolve/mod.ts';
import type { FleetState } from '../store/fleet-state.ts';

export type DiscoveredObject = Mesh | Workload | Destination;

/**
 * Discovered objects in their global form, built on access, under `key(kind, name)`; and the names of destinations
 * under the destinations' own keys.
 */
export interface Discovered {
  readonly objects: Collection<DiscoveredObject>;
  readonly destinationNames: Collection<string>;
}

/** All discovered objects in their global form. */
export function discoveredObjects(
  graph: Graph,
  fleetState: FleetState,
  { meshNames, clusterEndings: clusters }: Pick<Resolved, 'meshNames' | 'clusterEndings'>,
  hash: Hasher,
  namespace: string,
): Discovered {
  const meshRefs = graph.derive('output/mesh-references', meshNames, (name): ObjectRef => ({ name, namespace }));
  const workloadNames = uniqueNames(
    graph,
    'output/workload-names',
    {
      items: fleetState.workloads,
      baseName: ({ value }) => workloadName(value),
      ending: ({ value }) => workloadKind(value),
      clusters,
      packed: false,
    },
    hash,
  );
  const destinationNames = uniqueNames(
    graph,
    'output/destination-names',
    { items: fleetState.destinations, baseName: (_, at) => localName(at), clusters, packed: false },
    hash,
  );
  const names: Readonly<Record<DiscoveredObject['kind'], Collection<string>>> = {
    Mesh: meshNames,
    Workload: workloadNames,
    Destination: destinationNames,
  };
  const { made: known } = graph.gather<Mesh | Packed<Workload | Destination>, Found, Found>(
    'output/discovered',
    [fleetState.meshes, fleetState.workloads, fleetState.destinations],
    (given, read, objectKey) => {
      const of = given instanceof Packed ? given : new Packed(given);
      const { kind, spec } = of.value;
      const name = read.get(names[kind], objectKey);
      if (name === undefined) return [];
      const [cluster = ''] = partsOf(objectKey);
      const local = 'mesh' in spec ? spec.mesh : undefined;
      const mesh = local === undefined ? undefined : read.get(meshRefs, key(cluster, local.namespace, local.name));
      return [[key(kind, name), { of, mesh }]];
    },
    // Names are unique.
    ([found]) => found,
  );
  const objects = new MappedCollection(known, ({ of, mesh }, at): DiscoveredObject => {
    const { apiVersion, kind, spec } = of.value;
    const [, name = ''] = partsOf(at);
    const metadata = { name, namespace, labels: { [CLUSTER_LABEL]: clusterOf(of.value), [OWNER_LABEL]: namespace } };
    return { apiVersion, kind, metadata, spec: globalSpec(spec, mesh) } as DiscoveredObject;
  });
  return { objects, destinationNames };
}

/** A discovered object, with its mesh by the name in the management namespace, if that is known. */
interface Found {
  readonly of: Packed<DiscoveredObject>;
  readonly mesh: ObjectRef | undefined;
}

function globalSpec(spec: DiscoveredObject['spec'], mesh: ObjectRef | undefined): DiscoveredObject['spec'] {
  if (!('mesh' in spec)) return spec;
  const { mesh: _, ...others } = spec;
  return mesh === undefined ? others : { ...others, mesh };
}

/** A cluster can only report objects of its own. */
function clusterOf(object: DiscoveredObject): string {
  switch (object.kind) {
    case 'Mesh':
      return object.spec.cluster;
    case 'Workload':
      return object.spec.kubernetes.controller.clusterName;
    case 'Destination':
      return object.spec.kubeService.ref.clusterName;
  }
}

/** A Destination has its Service's name. */
function localName(objectKey: Key): string {
  const [cluster = '', namespace = '', name = ''] = partsOf(objectKey);
  return `${name}-${namespace}-${cluster}`;
}

function workloadName({ spec }: Workload): string {
  const { name, namespace, clusterName } = spec.kubernetes.controller;
  return `${name}-${namespace}-${clusterName}`;
}

function workloadKind({ spec }: Workload): string {
  return spec.kubernetes.controller.kind.toLowerCase();
}
