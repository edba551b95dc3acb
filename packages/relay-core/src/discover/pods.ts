/** Pods as discovery sees them: their controller, their labels, and the mesh whose data plane they run. */
import type { KubeObject } from '@meshrelay/api';
import {
  type Collection,
  type ControllerRef,
  controllerOf,
  type DiscoveredMember,
  key,
  type Pod,
  type Read,
} from '@meshrelay/plugin';
import { isRolloutLabel } from '@meshrelay/plugin/host';
import type { Graph } from '../graph/collection.ts';

export interface PodFacts {
  readonly name: string;
  readonly namespace: string;
  /** Without rollout labels, which only distinguish rollouts or single pods. */
  readonly labels: Readonly<Record<string, string>>;
  /** The rollout labels. Subsets may name them; workloads do not have them. */
  readonly rolloutLabels: Readonly<Record<string, string>>;
  readonly serviceAccount: string;
  readonly controller: ControllerRef;
  /** Name and namespace of the control plane whose data plane the pod runs. */
  readonly mesh?: DiscoveredMember['mesh'];
}

/** Facts of every pod that is not finished, under the pod's key. */
export function podFacts(
  graph: Graph,
  pods: Collection<KubeObject>,
  replicaSets: Collection<KubeObject>,
  members: Collection<DiscoveredMember>,
): Collection<PodFacts> {
  return graph.derive('discover/pods', pods as Collection<Pod>, (pod, read, podKey) => {
    // Without a spec its containers and its ServiceAccount are unknown.
    if (pod.spec === undefined || pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed') return undefined;
    const { name, namespace = '' } = pod.metadata;
    const member = read.get(members, podKey);
    return {
      name,
      namespace,
      labels: lastingLabels(pod.metadata.labels, member?.ownLabels),
      rolloutLabels: rolloutLabels(pod.metadata.labels),
      serviceAccount: pod.spec.serviceAccountName ?? 'default',
      controller: topController(pod, namespace, replicaSets, read),
      ...(member === undefined ? {} : { mesh: member.mesh }),
    };
  });
}

/** The labels that describe the workload. */
export function lastingLabels(
  labels: Readonly<Record<string, string>> = {},
  ofMesh: readonly string[] = [],
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => !isRolloutLabel(name) && !ofMesh.includes(name)));
}

function rolloutLabels(labels: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => isRolloutLabel(name)));
}

/** Follows owners up: Pod, ReplicaSet, Deployment. A pod without an owner is its own controller. */
function topController(pod: Pod, namespace: string, replicaSets: Collection<KubeObject>, read: Read): ControllerRef {
  const owner = controllerOf(pod);
  if (owner === undefined) return { apiVersion: 'v1', kind: 'Pod', namespace, name: pod.metadata.name };
  if (owner.kind === 'ReplicaSet') {
    const set = read.get(replicaSets, key(namespace, owner.name));
    const above = set === undefined ? undefined : controllerOf(set);
    if (above !== undefined) return { apiVersion: above.apiVersion, kind: above.kind, namespace, name: above.name };
  }
  return { apiVersion: owner.apiVersion, kind: owner.kind, namespace, name: owner.name };
}
