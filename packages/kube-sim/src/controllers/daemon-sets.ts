/** DaemonSets: one pod on each node. */
import type { KubeObject } from '../object.ts';
import type { ControllerStore, ObjectRef } from '../storage/controller-store.ts';
import { isConditionTrue } from './conditions.ts';
import type { Controller, OnFault } from './controller.ts';
import { hasLabels } from './has-labels.ts';
import { DAEMON_SET, NODE, POD } from './kinds.ts';
import { controlledBy, controllerRefs } from './owners.ts';
import { createPod, type PodMutator, templateHash } from './pod-template.ts';
import { refOf, startLoop } from './reconcile-loop.ts';
import { nameSuffix } from './stable-hash.ts';

const REVISION_LABEL = 'controller-revision-hash';

/** Creates, replaces and deletes the pods of DaemonSets. */
export function startDaemonSets(
  store: ControllerStore,
  {
    mutatePod = (pod) => pod,
    onFault,
  }: { readonly mutatePod?: PodMutator; readonly onFault?: OnFault | undefined } = {},
): Controller {
  return startLoop({
    name: 'DaemonSet',
    store,
    watches: [
      { kind: DAEMON_SET, refs: (event) => [refOf(event)] },
      { kind: POD, refs: controllerRefs(DAEMON_SET) },
      { kind: NODE, refs: () => store.list(DAEMON_SET).map((object) => refOf({ object })) },
    ],
    reconcile: (ref) => reconcile(store, ref, mutatePod),
    onFault,
  });
}

function reconcile(store: ControllerStore, ref: ObjectRef, mutatePod: PodMutator): void {
  const set = store.get(DAEMON_SET, ref);
  if (set === undefined || set.metadata.deletionTimestamp !== undefined) return;
  const hash = templateHash(set);
  const nodes = store
    .list(NODE)
    .filter(({ metadata }) => hasLabels(set['spec'].template.spec.nodeSelector ?? {}, metadata.labels));
  const pods = new Map(podsOf(store, set).map((pod) => [pod['spec'].nodeName as string, pod]));
  for (const { metadata } of nodes)
    if (!pods.has(metadata.name)) createOn(store, set, { node: metadata.name, hash }, mutatePod);
  const stray = [...pods].filter(([node]) => !nodes.some(({ metadata }) => metadata.name === node));
  for (const [, pod] of stray) store.delete(POD, refOf({ object: pod }));
  if (set['spec'].updateStrategy?.type !== 'OnDelete') replaceOne(store, set, hash);
  writeStatus(store, set, { hash, desired: nodes.length });
}

function podsOf(store: ControllerStore, set: KubeObject): KubeObject[] {
  return controlledBy(set, store.list(POD, set.metadata.namespace));
}

interface Placement {
  readonly node: string;
  readonly hash: string;
}

function createOn(store: ControllerStore, set: KubeObject, { node, hash }: Placement, mutatePod: PodMutator): void {
  const { name, namespace } = set.metadata;
  const pod = {
    name: `${name}-${nameSuffix(`${namespace}/${name}/${node}`)}`,
    generateName: `${name}-`,
    labels: { [REVISION_LABEL]: hash, 'pod-template-generation': String(set.metadata.generation ?? 1) },
    spec: { nodeName: node },
  };
  createPod(store, set, pod, mutatePod);
}

/** Outdated pods are deleted one at a time, and only while the others are ready. */
function replaceOne(store: ControllerStore, set: KubeObject, hash: string): void {
  const pods = podsOf(store, set);
  if (!pods.every((pod) => isConditionTrue(pod, 'Ready'))) return;
  const outdated = pods.find((pod) => pod.metadata.labels?.[REVISION_LABEL] !== hash);
  if (outdated !== undefined) store.delete(POD, refOf({ object: outdated }));
}

function writeStatus(
  store: ControllerStore,
  set: KubeObject,
  { hash, desired }: { hash: string; desired: number },
): void {
  const pods = podsOf(store, set);
  const ready = pods.filter((pod) => isConditionTrue(pod, 'Ready')).length;
  const updated = pods.filter((pod) => pod.metadata.labels?.[REVISION_LABEL] === hash).length;
  const status = {
    observedGeneration: set.metadata.generation ?? 1,
    currentNumberScheduled: pods.length,
    desiredNumberScheduled: desired,
    numberMisscheduled: 0,
    numberReady: ready,
    ...(ready > 0 ? { numberAvailable: ready } : {}),
    ...(desired > ready ? { numberUnavailable: desired - ready } : {}),
    ...(updated > 0 ? { updatedNumberScheduled: updated } : {}),
  };
  store.update({ ...set, status }, { subresource: 'status' });
}
