/** Discovers pods with an OSM proxy. */
import {
  type Collection,
  containersOf,
  type DiscoveredMember,
  type DiscoveredMesh,
  type DiscoveryGraph,
  key,
  type Pod,
} from '@meshrelay/plugin';

const PROXY = 'envoy';
const INIT = 'osm-init';
/** OSM sets it on each pod when it injects the proxy, with a unique value. */
const PROXY_LABEL = 'osm-proxy-uuid';
const ALL = key('all');

/**
 * The mesh of each pod with a proxy, by the pod's key. OSM supports one mesh per cluster: of several, the first is
 * used.
 */
export function sidecars(
  graph: Pick<DiscoveryGraph, 'derive' | 'index'>,
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

/** A container named envoy is common. OSM's pods also have its init container or, on Windows nodes, only its label. */
export function hasProxy({ metadata, spec }: Pod): boolean {
  const injected =
    metadata.labels?.[PROXY_LABEL] !== undefined ||
    containersOf(spec, 'initContainers').some(({ name }) => name === INIT);
  return injected && containersOf(spec).some(({ name }) => name === PROXY);
}
