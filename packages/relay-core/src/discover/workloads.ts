/** Workloads: the controllers of pods. One pod with a data plane puts its whole controller into the mesh. */
import type { Workload } from '@meshrelay/api';
import type { Collection, Graph, Group } from '../graph/collection.ts';
import { key } from '../graph/key.ts';
import type { PodFacts } from './pods.ts';

/** A Workload for each controller that has pods, under `key(namespace, kind, name)`. */
export function workloads(graph: Graph, cluster: string, pods: Collection<PodFacts>): Collection<Workload> {
  const byController = graph.group(
    'discover/pods-of-controller',
    pods,
    (pod): Array<readonly [string, PodFacts]> => [
      [key(pod.controller.namespace, pod.controller.kind, pod.controller.name), pod],
    ],
  );
  return graph.derive('discover/workloads', byController, (group) => workload(cluster, group));
}

function workload(cluster: string, pods: Group<PodFacts>): Workload | undefined {
  const first = pods[0];
  if (first === undefined) return undefined;
  const { controller } = first;
  const mesh = pods.find((pod) => pod.mesh !== undefined)?.mesh;
  return {
    apiVersion: 'discovery.meshrelay.dev/v1alpha1',
    kind: 'Workload',
    // Controllers of two kinds may share a name. Kinds have no dashes, so the last one parts the two.
    metadata: { name: `${controller.name}-${controller.kind.toLowerCase()}`, namespace: controller.namespace },
    spec: {
      kubernetes: {
        controller: { ...controller, clusterName: cluster },
        podLabels: sharedLabels(pods),
        serviceAccountName: first.serviceAccount,
      },
      ...(mesh === undefined ? {} : { mesh: { ...mesh } }),
    },
  };
}

/** The labels that all pods have with the same value: those that a selector may use for the whole workload. */
function sharedLabels(pods: Group<PodFacts>): Record<string, string> {
  const [first, ...others] = pods;
  const shared = Object.entries(first?.labels ?? {}).filter(([name, value]) =>
    others.every((pod) => pod.labels[name] === value),
  );
  return Object.fromEntries(shared);
}
