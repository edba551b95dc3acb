/** Determines into which pods OSM's injector would inject a proxy. */
import {
  type Collection,
  type DiscoveredMember,
  type DiscoveredMesh,
  type DiscoveryGraph,
  type KubeObject,
  key,
  type Pod,
  type PodTemplate,
} from '@meshrelay/plugin';
import { hasProxy } from './sidecars.ts';

const ALL = key('all');
/** On namespaces: the mesh that monitors them. */
const MONITORED_BY = 'openservicemesh.io/monitored-by';
const IGNORED = 'openservicemesh.io/ignore';
/** An annotation of namespaces and pods. */
const INJECTION = 'openservicemesh.io/sidecar-injection';
const YES: ReadonlySet<string> = new Set(['enabled', 'yes', 'true']);

/** The mesh that the pods of each template would belong to, by the template's key. */
export function templateSidecars(
  graph: Pick<DiscoveryGraph, 'derive' | 'index'>,
  templates: Collection<PodTemplate>,
  namespaces: Collection<KubeObject>,
  meshes: Collection<DiscoveredMesh>,
): Collection<DiscoveredMember> {
  const all = graph.index(meshes, 'osm/all-control-planes-for-templates', () => [ALL]);
  const injected = graph.derive('osm/injected-templates', templates, ({ pod }, read) => {
    const namespace = read.get(namespaces, key('', pod.metadata.namespace ?? ''));
    return isInjected(pod, namespace?.metadata) ? true : undefined;
  });
  return graph.derive('osm/template-sidecars', injected, (_, read): DiscoveredMember | undefined => {
    const mesh = read.by(all, ALL)[0]?.[1];
    return mesh === undefined ? undefined : { mesh: { name: mesh.name, namespace: mesh.namespace } };
  });
}

/** The pod's annotation overrides its namespace's. OSM injects nothing outside monitored namespaces. */
export function isInjected(pod: Pod, namespace: Pick<KubeObject['metadata'], 'labels' | 'annotations'> = {}): boolean {
  if (hasProxy(pod)) return true;
  const { labels = {}, annotations = {} } = namespace;
  if (labels[MONITORED_BY] === undefined || labels[IGNORED] !== undefined || pod.spec?.hostNetwork === true)
    return false;
  const requested = pod.metadata.annotations?.[INJECTION] ?? annotations[INJECTION];
  return typeof requested === 'string' && YES.has(requested.toLowerCase());
}
