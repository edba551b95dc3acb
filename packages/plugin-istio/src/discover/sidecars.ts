/** Discovers pods with an Istio proxy: sidecars, native sidecars and gateways. */
import {
  type Collection,
  containersOf,
  type DiscoveredMember,
  type DiscoveredMesh,
  type DiscoveryGraph,
  key,
  type Pod,
  textOf,
} from '@meshrelay/plugin';
import { imageName } from './image.ts';

const CONTAINER = 'istio-proxy';
/** The label, or annotation, that names a control plane's revision. */
export const REVISION = 'istio.io/rev';
const ALL = key('all');

/** The mesh of each pod with a proxy, by the pod's key: the control plane of its revision, else the cluster's first. */
export function sidecars(
  graph: Pick<DiscoveryGraph, 'derive' | 'index'>,
  pods: Collection<Pod>,
  meshes: Collection<DiscoveredMesh>,
): Collection<DiscoveredMember> {
  const all = graph.index(meshes, 'istio/all-control-planes', () => [ALL]);
  const proxied = graph.derive('istio/proxied-pods', pods, (pod) => {
    if (!hasProxy(pod)) return undefined;
    const { annotations, labels } = pod.metadata;
    return { revision: textOf(annotations?.[REVISION]) ?? textOf(labels?.[REVISION]) ?? 'default' };
  });
  return graph.derive('istio/sidecars', proxied, ({ revision }, read) =>
    meshOfRevision(
      read.by(all, ALL).map(([, mesh]) => mesh),
      revision,
    ),
  );
}

/** Membership in the mesh of a revision's control plane, else of the default one, else of the first. */
export function meshOfRevision(found: readonly DiscoveredMesh[], revision: string): DiscoveredMember | undefined {
  const mesh =
    found.find((one) => one.revision === revision) ?? found.find((one) => one.revision === 'default') ?? found[0];
  return mesh === undefined ? undefined : { mesh: { name: mesh.name, namespace: mesh.namespace } };
}

/** Whether one of the containers is an Istio proxy. */
export function hasProxy({ spec }: { readonly spec?: Pod['spec'] | undefined }): boolean {
  const containers = [...containersOf(spec), ...containersOf(spec, 'initContainers')];
  return containers.some(
    ({ name, image = '' }) => name === CONTAINER || (imageName(image) === 'proxyv2' && name !== 'istio-init'),
  );
}
