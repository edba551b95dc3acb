/** Pods that carry a proxy of OSM. */
import {
  type Collection,
  containersOf,
  type DiscoveredMember,
  type DiscoveredMesh,
  type Graph,
  key,
  type Pod,
} from '@meshrelay/relay-core';

const PROXY = 'envoy';
const INIT = 'osm-init';
/** Put on each pod when the proxy is injected, with a value of its own for every pod. */
const PROXY_LABEL = 'osm-proxy-uuid';
const ALL = key('all');

/** Which mesh each pod with a proxy belongs to, under the pod's key. OSM is made for one mesh in a cluster: where there are more, the first. */
export function sidecars(
  graph: Pick<Graph, 'derive' | 'index'>,
  pods: Collection<Pod>,
  meshes: Collection<DiscoveredMesh>,
): Collection<DiscoveredMember> {
  const all = graph.index(meshes, 'osm/all-control-planes', () => [ALL]);
  const proxied = graph.derive('osm/proxied-pods', pods, (pod) => (hasProxy(pod) ? true : undefined));
  return graph.derive('osm/sidecars', proxied, (_pod, read): DiscoveredMember | undefined => {
    const mesh = read.by(all, ALL)[0]?.[1];
    return mesh === undefined
      ? undefined
      : { mesh: { name: mesh.name, namespace: mesh.namespace }, ownLabels: [PROXY_LABEL] };
  });
}

/** Many a pod has a container named envoy. OSM's has its init container too, or on Windows nodes just its label. */
export function hasProxy({ metadata, spec }: Pod): boolean {
  const injected =
    metadata.labels?.[PROXY_LABEL] !== undefined ||
    containersOf(spec, 'initContainers').some(({ name }) => name === INIT);
  return injected && containersOf(spec).some(({ name }) => name === PROXY);
}
