/** Discovery of plain Envoys in a cluster: by a label on pod templates, and so on pods; its value is the role. */
import {
  CONFIG_MAP,
  type Collection,
  type ConfigMap,
  type DiscoveredMember,
  type DiscoveredMesh,
  type DiscoveryBuilder,
  key,
  POD,
  type Pod,
  textOf,
  WORKLOAD_ROOTS,
  WORKLOAD_ROOTS_KEY,
} from '@meshrelay/plugin';
import type { EnvoySettings } from '../settings.ts';
import { roleOf } from './role.ts';

/**
 * Defines the discovery from the objects of one cluster. The control plane is the agent itself, so a mesh exists as
 * long as one workload has the label. The pod template is enough; the workload needs no pods.
 */
export function discover({ graph, objects, ...define }: DiscoveryBuilder, settings: EnvoySettings): void {
  const mesh = { name: settings.agent, namespace: settings.namespace };
  const pods = objects<Pod>(POD);
  const member = (pod: Pod): DiscoveredMember | undefined => (roleOf(pod) === undefined ? undefined : { mesh });
  define.members(graph.derive('envoy/members', pods, member));
  define.templateMembers(graph.derive('envoy/template-members', define.templates, ({ pod }) => member(pod)));
  const labelled = graph.join('envoy/namespaces-of-members', [
    namespacesWith(graph, 'pods', graph.derive('envoy/homes-of-pods', pods, locationOf)),
    namespacesWith(
      graph,
      'templates',
      graph.derive('envoy/homes-of-templates', define.templates, ({ pod }) => locationOf(pod)),
    ),
  ]);
  // Indexed by namespace, so that no single pod triggers work proportional to the size of the cluster.
  const found = graph.group('envoy/all-namespaces', labelled, () => [[key(mesh.namespace, mesh.name), true as const]]);
  const roots = graph.derive('envoy/roots', objects<ConfigMap>(CONFIG_MAP), ({ metadata, data }): string | undefined =>
    metadata.name === WORKLOAD_ROOTS && metadata.namespace === mesh.namespace
      ? textOf(data?.[WORKLOAD_ROOTS_KEY])
      : undefined,
  );
  define.meshes(
    graph.derive('envoy/meshes', found, (_, read): DiscoveredMesh => {
      const trustBundle = read.get(roots, key(mesh.namespace, WORKLOAD_ROOTS));
      return {
        ...mesh,
        trustDomain: settings.trustDomain,
        capturesDns: true,
        ...(trustBundle === undefined ? {} : { trustBundle }),
      };
    }),
  );
}

/** The namespace of a pod with a role. */
function locationOf(pod: Pod): { readonly namespace: string } | undefined {
  return roleOf(pod) === undefined ? undefined : { namespace: pod.metadata.namespace ?? '' };
}

/** One entry for each namespace that has some. */
function namespacesWith(
  graph: DiscoveryBuilder['graph'],
  what: string,
  homes: Collection<{ readonly namespace: string }>,
): Collection<true> {
  const grouped = graph.group(
    `envoy/${what}-by-namespace`,
    homes,
    ({ namespace }): Array<readonly [string, true]> => [[key(what, namespace), true]],
  );
  return graph.derive(`envoy/namespaces-with-${what}`, grouped, () => true);
}
