/** StatefulSets: numbered pods that keep their names. */
import type { Json, KubeObject } from '../object.ts';
import type { ControllerStore, ObjectRef } from '../storage/controller-store.ts';
import { isConditionTrue } from './conditions.ts';
import type { Controller, OnFault } from './controller.ts';
import { POD, STATEFUL_SET } from './kinds.ts';
import { controlledBy, controllerRefs } from './owners.ts';
import { createPod, type PodMutator, templateHash } from './pod-template.ts';
import { refOf, startLoop } from './reconcile-loop.ts';

const REVISION_LABEL = 'controller-revision-hash';

/**
 * Creates, replaces and deletes the pods of StatefulSets, one at a time and in order unless `podManagementPolicy` is
 * Parallel.
 */
export function startStatefulSets(
  store: ControllerStore,
  {
    mutatePod = (pod) => pod,
    onFault,
  }: { readonly mutatePod?: PodMutator; readonly onFault?: OnFault | undefined } = {},
): Controller {
  return startLoop({
    name: 'StatefulSet',
    store,
    watches: [
      { kind: STATEFUL_SET, refs: (event) => [refOf(event)] },
      { kind: POD, refs: controllerRefs(STATEFUL_SET) },
    ],
    reconcile: (ref) => reconcile(store, ref, mutatePod),
    onFault,
  });
}

function reconcile(store: ControllerStore, ref: ObjectRef, mutatePod: PodMutator): void {
  const set = store.get(STATEFUL_SET, ref);
  if (set === undefined || set.metadata.deletionTimestamp !== undefined) return;
  const revision = `${ref.name}-${templateHash(set)}`;
  const pods = podsByOrdinal(store, set);
  const change = nextChange(set, pods, revision);
  for (const ordinal of change.create) createOrdinal(store, set, { ordinal, revision }, mutatePod);
  for (const pod of change.remove) store.delete(POD, refOf({ object: pod }));
  writeStatus(store, set, revision);
}

function podsByOrdinal(store: ControllerStore, set: KubeObject): Map<number, KubeObject> {
  const prefix = `${set.metadata.name}-`;
  const pods = controlledBy(set, store.list(POD, set.metadata.namespace));
  return new Map(pods.map((pod) => [Number(pod.metadata.name.slice(prefix.length)), pod]));
}

interface Change {
  readonly create: readonly number[];
  readonly remove: readonly KubeObject[];
}

/** The next allowed actions: fill gaps first, then shrink from the top, then replace outdated pods from the top. */
function nextChange(set: KubeObject, pods: ReadonlyMap<number, KubeObject>, revision: string): Change {
  const { replicas = 1, podManagementPolicy, ordinals, updateStrategy } = set['spec'];
  const start: number = ordinals?.start ?? 0;
  const requested = Array.from({ length: replicas }, (_, at) => start + at);
  const missing = requested.filter((ordinal) => !pods.has(ordinal));
  const extra = [...pods].filter(([ordinal]) => !requested.includes(ordinal)).sort(([left], [right]) => right - left);
  if (podManagementPolicy === 'Parallel' && (missing.length > 0 || extra.length > 0)) {
    return { create: missing, remove: extra.map(([, pod]) => pod) };
  }
  const waiting = requested.find((ordinal) => !isReady(pods.get(ordinal)));
  const [first] = missing;
  if (first !== undefined) return { create: first === waiting ? [first] : [], remove: [] };
  if (waiting !== undefined) return { create: [], remove: [] };
  const [last] = extra;
  if (last !== undefined) return { create: [], remove: [last[1]] };
  if (updateStrategy?.type === 'OnDelete') return { create: [], remove: [] };
  const partition: number = updateStrategy?.rollingUpdate?.partition ?? 0;
  const outdated = requested.filter(
    (ordinal) => ordinal >= partition && pods.get(ordinal)?.metadata.labels?.[REVISION_LABEL] !== revision,
  );
  const top = pods.get(outdated.at(-1) ?? -1);
  return { create: [], remove: top === undefined ? [] : [top] };
}

function isReady(pod: KubeObject | undefined): boolean {
  return pod !== undefined && isConditionTrue(pod, 'Ready');
}

interface Member {
  readonly ordinal: number;
  readonly revision: string;
}

function createOrdinal(
  store: ControllerStore,
  set: KubeObject,
  { ordinal, revision }: Member,
  mutatePod: PodMutator,
): void {
  const name = `${set.metadata.name}-${ordinal}`;
  const { serviceName, template, volumeClaimTemplates = [] } = set['spec'];
  const claims = volumeClaimTemplates.map((claim: KubeObject) => ({
    name: claim.metadata.name,
    persistentVolumeClaim: { claimName: `${claim.metadata.name}-${name}` },
  }));
  const volumes: Json[] = [...(template.spec.volumes ?? []), ...claims];
  createPod(
    store,
    set,
    {
      name,
      generateName: `${set.metadata.name}-`,
      labels: {
        'apps.kubernetes.io/pod-index': String(ordinal),
        [REVISION_LABEL]: revision,
        'statefulset.kubernetes.io/pod-name': name,
      },
      spec: {
        hostname: name,
        ...(serviceName === undefined ? {} : { subdomain: serviceName }),
        ...(volumes.length === 0 ? {} : { volumes }),
      },
    },
    mutatePod,
  );
}

function writeStatus(store: ControllerStore, set: KubeObject, revision: string): void {
  const pods = [...podsByOrdinal(store, set).values()];
  const updated = pods.filter((pod) => pod.metadata.labels?.[REVISION_LABEL] === revision).length;
  const ready = pods.filter(isReady).length;
  const complete = updated === pods.length && ready === (set['spec'].replicas ?? 1);
  const before = complete ? revision : (set['status']?.currentRevision ?? revision);
  const counts = {
    replicas: pods.length,
    readyReplicas: ready,
    availableReplicas: ready,
    currentReplicas: pods.filter((pod) => pod.metadata.labels?.[REVISION_LABEL] === before).length,
    updatedReplicas: updated,
  };
  const retained = Object.entries(counts).filter(([field, value]) => value !== 0 || field === 'replicas');
  const status = {
    observedGeneration: set.metadata.generation ?? 1,
    currentRevision: before,
    updateRevision: revision,
    collisionCount: 0,
    ...Object.fromEntries(retained),
    availableReplicas: ready,
  };
  store.update({ ...set, status }, { subresource: 'status' });
}
