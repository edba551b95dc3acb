/** Pods that carry an Istio proxy: sidecars, native sidecars and gateways. */
import {
  type Collection,
  containersOf,
  type FoundMember,
  type FoundMesh,
  type Graph,
  key,
  type Pod,
  textOf,
} from '@meshrelay/relay-core';
import { imageName } from './image.ts';

const CONTAINER = 'istio-proxy';
const REVISION = 'istio.io/rev';
const ALL = key('all');

/** Which mesh each pod with a proxy belongs to, under the pod's key: the control plane of its revision, else the cluster's first. */
export function sidecars(
  graph: Pick<Graph, 'derive' | 'index'>,
  pods: Collection<Pod>,
  meshes: Collection<FoundMesh>,
): Collection<FoundMember> {
  const all = graph.index(meshes, 'istio/all-control-planes', () => [ALL]);
  const proxied = graph.derive('istio/proxied-pods', pods, (pod) => {
    if (!hasProxy(pod)) return undefined;
    const { annotations, labels } = pod.metadata;
    return { revision: textOf(annotations?.[REVISION]) ?? textOf(labels?.[REVISION]) ?? 'default' };
  });
  return graph.derive('istio/sidecars', proxied, ({ revision }, read): FoundMember | undefined => {
    const found = read.by(all, ALL).map(([, mesh]) => mesh);
    const mesh =
      found.find((one) => one.revision === revision) ?? found.find((one) => one.revision === 'default') ?? found[0];
    return mesh === undefined ? undefined : { mesh: { name: mesh.name, namespace: mesh.namespace } };
  });
}

function hasProxy({ spec }: Pod): boolean {
  const containers = [...containersOf(spec), ...containersOf(spec, 'initContainers')];
  return containers.some(
    ({ name, image = '' }) => name === CONTAINER || (imageName(image) === 'proxyv2' && name !== 'istio-init'),
  );
}
