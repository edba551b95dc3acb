/** Determines into which pods Istio's injector would inject a proxy, by the rules of its webhooks. */
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
import { hasProxy, meshOfRevision, REVISION } from './sidecars.ts';

const ALL = key('all');
const NAMESPACE_INJECTION = 'istio-injection';
/** On pods: a label, or the deprecated annotation. */
const INJECT = 'sidecar.istio.io/inject';
const DEFAULT = 'default';

/** The mesh that the pods of each template would belong to, by the template's key. */
export function templateSidecars(
  graph: Pick<DiscoveryGraph, 'derive' | 'index'>,
  templates: Collection<PodTemplate>,
  namespaces: Collection<KubeObject>,
  meshes: Collection<DiscoveredMesh>,
): Collection<DiscoveredMember> {
  const all = graph.index(meshes, 'istio/all-control-planes-for-templates', () => [ALL]);
  const revisions = graph.derive('istio/injected-templates', templates, ({ pod }, read) => {
    const namespace = read.get(namespaces, key('', pod.metadata.namespace ?? ''));
    const revision = injectedRevision(pod, namespace?.metadata.labels ?? {});
    return revision === undefined ? undefined : { revision };
  });
  return graph.derive('istio/template-sidecars', revisions, ({ revision }, read) =>
    meshOfRevision(
      read.by(all, ALL).map(([, mesh]) => mesh),
      revision,
    ),
  );
}

/**
 * The revision whose injector selects the pod; undefined if no injector does. A pod can opt out; otherwise the
 * namespace's labels take precedence over the pod's.
 */
export function injectedRevision(
  { metadata, spec }: Pod,
  namespace: Readonly<Record<string, string>>,
): string | undefined {
  const { labels = {}, annotations = {} } = metadata;
  if (hasProxy({ spec })) return annotations[REVISION] ?? labels[REVISION] ?? DEFAULT;
  if (labels[INJECT] === 'false' || annotations[INJECT] === 'false' || spec?.hostNetwork === true) return undefined;
  const requested = namespace[NAMESPACE_INJECTION];
  if (requested !== undefined) return requested === 'enabled' ? DEFAULT : undefined;
  return namespace[REVISION] ?? labels[REVISION] ?? (labels[INJECT] === 'true' ? DEFAULT : undefined);
}
