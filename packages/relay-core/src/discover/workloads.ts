/** Workloads: the controllers of pods. One pod with a data plane puts its whole controller into the mesh. */
import type { Workload } from '@meshrelay/api';
import type { Collection, Group } from '@meshrelay/plugin';
import type { Graph } from '../graph/collection.ts';
import type { PodFacts } from './pods.ts';
import { controllerKey } from './templates.ts';

/** The pods of each controller that has some, under its key. */
export function podsByController(graph: Graph, pods: Collection<PodFacts>): Collection<Group<PodFacts>> {
  return graph.group(
    'discover/pods-of-controller',
    pods,
    (pod): Array<readonly [string, PodFacts]> => [[controllerKey(pod.controller), pod]],
  );
}

/** A Workload for each controller that has pods, or that is a member without pods, under its key. */
export function workloads(
  graph: Graph,
  cluster: string,
  byController: Collection<Group<PodFacts>>,
  idle: Collection<PodFacts>,
): Collection<Workload> {
  return graph.join('discover/workloads', [
    graph.derive('discover/running-workloads', byController, (group) => workload(cluster, group)),
    graph.derive('discover/workloads-without-pods', idle, (template) => workload(cluster, [template])),
  ]);
}

function workload(cluster: string, pods: Group<PodFacts>): Workload | undefined {
  const first = pods[0];
  if (first === undefined) return undefined;
  const { controller } = first;
  const mesh = pods.find((pod) => pod.mesh !== undefined)?.mesh;
  return {
    apiVersion: 'discovery.meshrelay.dev/v1alpha1',
    kind: 'Workload',
    // Controllers of two kinds may share a name. Kinds have no dashes, so the last dash separates the two.
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

/** The labels that all pods have with the same value: selectors may use them for the whole workload. */
function sharedLabels(pods: Group<PodFacts>): Record<string, string> {
  const [first, ...others] = pods;
  const shared = Object.entries(first?.labels ?? {}).filter(([name, value]) =>
    others.every((pod) => pod.labels[name] === value),
  );
  return Object.fromEntries(shared);
}
