/** ReplicaSets: the desired number of pods. */
import type { KubeObject } from '../object.ts';
import type { ControllerStore, ObjectRef } from '../storage/controller-store.ts';
import { isConditionTrue } from './conditions.ts';
import type { Controller, OnFault } from './controller.ts';
import { hasLabels } from './has-labels.ts';
import { POD, REPLICA_SET } from './kinds.ts';
import { controlledBy, controllerRefs } from './owners.ts';
import { createPod, type PodMutator } from './pod-template.ts';
import { refOf, startLoop } from './reconcile-loop.ts';
import { nameSuffix } from './stable-hash.ts';

/** Creates and deletes the pods of ReplicaSets. */
export function startReplicaSets(
  store: ControllerStore,
  {
    mutatePod = (pod) => pod,
    onFault,
  }: { readonly mutatePod?: PodMutator; readonly onFault?: OnFault | undefined } = {},
): Controller {
  return startLoop({
    name: 'ReplicaSet',
    store,
    watches: [
      { kind: REPLICA_SET, refs: (event) => [refOf(event)] },
      { kind: POD, refs: controllerRefs(REPLICA_SET) },
    ],
    reconcile: (ref) => reconcile(store, ref, mutatePod),
    onFault,
  });
}

function reconcile(store: ControllerStore, ref: ObjectRef, mutatePod: PodMutator): void {
  const set = store.get(REPLICA_SET, ref);
  if (set === undefined || set.metadata.deletionTimestamp !== undefined) return;
  const desired: number = set['spec'].replicas ?? 1;
  const pods = controlledBy(set, store.list(POD, ref.namespace)).filter(isAlive);
  for (const name of freeNames(store, set, desired - pods.length)) {
    createPod(store, set, { name, generateName: `${ref.name}-` }, mutatePod);
  }
  for (const pod of victims(set, pods).slice(0, Math.max(0, pods.length - desired))) {
    store.delete(POD, refOf({ object: pod }));
  }
  writeStatus(store, set);
}

function isAlive(pod: KubeObject): boolean {
  return pod['status']?.phase !== 'Succeeded' && pod['status']?.phase !== 'Failed';
}

/** The name of a set's pod by its position; positions with used names are skipped. */
function* podNames(set: KubeObject): Generator<string> {
  const { name, namespace } = set.metadata;
  for (let at = 0; ; at++) yield `${name}-${nameSuffix(`${namespace}/${name}/${at}`)}`;
}

function freeNames(store: ControllerStore, set: KubeObject, count: number): string[] {
  const { namespace = '' } = set.metadata;
  const names: string[] = [];
  for (const name of podNames(set)) {
    if (names.length >= count) break;
    const taken = names.includes(name) || store.get(POD, { namespace, name }) !== undefined;
    if (!taken) names.push(name);
  }
  return names;
}

/** Pods in the order of deletion: those not ready first, then the last position first. */
function victims(set: KubeObject, pods: readonly KubeObject[]): KubeObject[] {
  const position = new Map<string, number>();
  const names = podNames(set);
  for (let at = 0; at < pods.length * 2 + 16; at++) position.set(names.next().value as string, at);
  const rank = (pod: KubeObject): number => position.get(pod.metadata.name) ?? Number.MAX_SAFE_INTEGER;
  const ready = (pod: KubeObject): number => (isConditionTrue(pod, 'Ready') ? 1 : 0);
  return pods.toSorted((left, right) => ready(left) - ready(right) || rank(right) - rank(left));
}

function writeStatus(store: ControllerStore, set: KubeObject): void {
  const { namespace } = set.metadata;
  const live = store.get(REPLICA_SET, refOf({ object: set }));
  if (live === undefined) return;
  const pods = controlledBy(live, store.list(POD, namespace)).filter(isAlive);
  const labels = live['spec'].template?.metadata?.labels ?? {};
  const ready = pods.filter((pod) => isConditionTrue(pod, 'Ready')).length;
  const status = {
    observedGeneration: live.metadata.generation ?? 1,
    replicas: pods.length,
    fullyLabeledReplicas: pods.filter((pod) => hasLabels(labels, pod.metadata.labels)).length,
    readyReplicas: ready,
    availableReplicas: ready,
  };
  const retained = Object.entries(status).filter(([field, value]) => value !== 0 || field === 'replicas');
  store.update({ ...live, status: Object.fromEntries(retained) }, { subresource: 'status' });
}
