/**
 * The objects of each cluster, from their global form in the management cluster: the inverse of what the server
 * publishes. For fleets of which only the management cluster can be read.
 */
import type { Destination, KubeObject, Mesh, ObjectRef, Workload } from '@meshrelay/api';
import { namespaceObject } from '../input/namespace-object.ts';
import type { DiscoveredObject } from '../output/mod.ts';
import type { ClusterObjects } from './cluster-objects.ts';

/**
 * The objects of each cluster as its agent pushes them, from published Mesh, Workload and Destination objects. Other
 * objects that agents push are not published: policies and native objects of clusters, labels of namespaces.
 */
export function pushedObjects(published: readonly DiscoveredObject[]): ClusterObjects[] {
  const meshes = new Map(
    published.filter((object): object is Mesh => object.kind === 'Mesh').map((mesh) => [mesh.metadata.name, mesh]),
  );
  const clusters = new Map<string, KubeObject[]>();
  for (const object of published) {
    const { cluster, local } = localForm(object, meshes);
    const objects = clusters.get(cluster) ?? [];
    objects.push(local);
    clusters.set(cluster, objects);
  }
  return [...clusters].map(([name, objects]) => ({ name, objects: [...namespacesOf(objects), ...objects] }));
}

interface LocalForm {
  readonly cluster: string;
  readonly local: DiscoveredObject;
}

function localForm(object: DiscoveredObject, meshes: ReadonlyMap<string, Mesh>): LocalForm {
  const { apiVersion, kind } = object;
  switch (kind) {
    case 'Mesh':
      return {
        cluster: object.spec.cluster,
        local: { apiVersion, kind, metadata: localMesh(object), spec: object.spec },
      };
    case 'Workload': {
      const { clusterName: cluster, name, namespace, kind: controller } = object.spec.kubernetes.controller;
      const metadata = { name: `${name}-${controller.toLowerCase()}`, namespace };
      return { cluster, local: { apiVersion, kind, metadata, spec: withLocalMesh(object.spec, meshes) } };
    }
    case 'Destination': {
      const { clusterName: cluster, name, namespace } = object.spec.kubeService.ref;
      return {
        cluster,
        local: { apiVersion, kind, metadata: { name, namespace }, spec: withLocalMesh(object.spec, meshes) },
      };
    }
  }
}

/** The published name of a mesh is `<name>-<namespace>-<cluster>`, and six digits of a hash if that is not unique. */
function localMesh({ metadata: { name }, spec: { cluster, installation } }: Mesh): ObjectRef {
  const { namespace } = installation;
  const ending = `-${namespace}-${cluster}`;
  const base = name.endsWith(ending) ? name : name.replace(/-[0-9a-f]{6}$/, '');
  return { name: base.endsWith(ending) ? base.slice(0, -ending.length) : base, namespace };
}

function withLocalMesh<Spec extends Workload['spec'] | Destination['spec']>(
  spec: Spec,
  meshes: ReadonlyMap<string, Mesh>,
): Spec {
  const mesh = spec.mesh === undefined ? undefined : meshes.get(spec.mesh.name);
  const { mesh: _, ...others } = spec;
  return (mesh === undefined ? others : { ...others, mesh: localMesh(mesh) }) as Spec;
}

function namespacesOf(objects: readonly KubeObject[]): KubeObject[] {
  const names = new Set(objects.map(({ metadata }) => metadata.namespace ?? '').filter((name) => name !== ''));
  return [...names].map((name) => namespaceObject({ metadata: { name } }));
}
