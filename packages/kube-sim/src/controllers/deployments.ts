/** Deployments: a ReplicaSet for each version of the template, and a rollout from the old ones to the new. */
import type { KubeObject } from '../object.ts';
import type { ControllerStore, ObjectRef } from '../storage/controller-store.ts';
import type { Controller, OnFault } from './controller.ts';
import { deploymentStatus } from './deployment-status.ts';
import { DEPLOYMENT, REPLICA_SET } from './kinds.ts';
import { controlledBy, controllerReference, controllerRefs } from './owners.ts';
import { templateHash } from './pod-template.ts';
import { refOf, startLoop } from './reconcile-loop.ts';
import { type Generation, nextStep, type RolloutTarget } from './rolling-update.ts';

/** The label that distinguishes the ReplicaSets of a Deployment, and their pods. */
const HASH_LABEL = 'pod-template-hash';
const REVISION = 'deployment.kubernetes.io/revision';

/** Rolls out Deployments. */
export function startDeployments(
  store: ControllerStore,
  { onFault }: { readonly onFault?: OnFault | undefined } = {},
): Controller {
  return startLoop({
    name: 'Deployment',
    store,
    watches: [
      { kind: DEPLOYMENT, refs: (event) => [refOf(event)] },
      { kind: REPLICA_SET, refs: controllerRefs(DEPLOYMENT) },
    ],
    reconcile: (ref) => reconcile(store, ref),
    onFault,
  });
}

function reconcile(store: ControllerStore, ref: ObjectRef): void {
  const deployment = store.get(DEPLOYMENT, ref);
  if (deployment === undefined || deployment.metadata.deletionTimestamp !== undefined) return;
  const owned = controlledBy(deployment, store.list(REPLICA_SET, ref.namespace)).sort(
    (a, b) => revision(a) - revision(b),
  );
  const hash = templateHash(deployment);
  const found = owned.find(({ metadata }) => metadata.labels?.[HASH_LABEL] === hash);
  const old = owned.filter((set) => set !== found);
  if (deployment['spec'].paused === true) {
    writeStatus(store, deployment, found, old);
    return;
  }
  const number = String(Math.max(1, ...old.map((set) => revision(set) + 1), found === undefined ? 1 : revision(found)));
  const set =
    found === undefined ? createSet(store, deployment, { hash, number }) : annotate(store, found, deployment, number);
  setRevision(store, deployment, number);
  const step = nextStep(targetOf(deployment), generation(set), old.map(generation));
  scale(store, set, step.current);
  for (const [at, each] of old.entries()) scale(store, each, step.old[at] ?? 0);
  dropHistory(store, deployment, old);
  writeStatus(store, deployment, set, old);
}

interface Version {
  readonly hash: string;
  readonly number: string;
}

function createSet(store: ControllerStore, deployment: KubeObject, { hash, number }: Version): KubeObject {
  const { name, namespace = '' } = deployment.metadata;
  const { template, selector } = deployment['spec'];
  const labels = { ...template.metadata?.labels, [HASH_LABEL]: hash };
  return store.create({
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${name}-${hash}`,
      namespace,
      labels,
      annotations: { ...inherited(deployment), [REVISION]: number },
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      replicas: 0,
      selector: { ...selector, matchLabels: { ...selector?.matchLabels, [HASH_LABEL]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  });
}

/** A template that is used again (a rollback) gets the newest revision number. */
function annotate(store: ControllerStore, set: KubeObject, deployment: KubeObject, number: string): KubeObject {
  const annotations = { ...set.metadata.annotations, ...inherited(deployment), [REVISION]: number };
  return store.update({ ...set, metadata: { ...set.metadata, annotations } });
}

function setRevision(store: ControllerStore, deployment: KubeObject, number: string): void {
  const annotations = { ...deployment.metadata.annotations, [REVISION]: number };
  if (deployment.metadata.annotations?.[REVISION] === number) return;
  store.update({ ...deployment, metadata: { ...deployment.metadata, annotations } });
}

/** The Deployment's rollout annotations (such as the change cause) are copied to the ReplicaSet. */
function inherited(deployment: KubeObject): Record<string, string> {
  const own = /^(kubectl\.kubernetes\.io\/last-applied-configuration|deployment\.kubernetes\.io\/.*)$/;
  return Object.fromEntries(Object.entries(deployment.metadata.annotations ?? {}).filter(([key]) => !own.test(key)));
}

function scale(store: ControllerStore, set: KubeObject, replicas: number): void {
  const live = store.get(REPLICA_SET, refOf({ object: set }));
  if (live !== undefined && live['spec'].replicas !== replicas) {
    store.update({ ...live, spec: { ...live['spec'], replicas } });
  }
}

/** Old ReplicaSets without pods are retained for rollbacks, up to a limit. */
function dropHistory(store: ControllerStore, deployment: KubeObject, old: readonly KubeObject[]): void {
  const empty = old.filter((set) => set['spec'].replicas === 0 && (set['status']?.replicas ?? 0) === 0);
  const surplus = empty.length - (deployment['spec'].revisionHistoryLimit ?? 10);
  for (const set of empty.slice(0, Math.max(0, surplus))) store.delete(REPLICA_SET, refOf({ object: set }));
}

function writeStatus(
  store: ControllerStore,
  deployment: KubeObject,
  current: KubeObject | undefined,
  old: readonly KubeObject[],
): void {
  const fresh = (object: KubeObject): KubeObject[] => {
    const live = store.get(object.kind === 'Deployment' ? DEPLOYMENT : REPLICA_SET, refOf({ object }));
    return live === undefined ? [] : [live];
  };
  const [set] = current === undefined ? [] : fresh(current);
  for (const live of fresh(deployment)) {
    store.update(
      { ...live, status: deploymentStatus(store, live, set, old.flatMap(fresh)) },
      { subresource: 'status' },
    );
  }
}

function targetOf(deployment: KubeObject): RolloutTarget {
  const { replicas = 1, strategy = {} } = deployment['spec'];
  const { maxSurge = '25%', maxUnavailable = '25%' } = strategy.rollingUpdate ?? {};
  return { desired: replicas, strategy: strategy.type ?? 'RollingUpdate', maxSurge, maxUnavailable };
}

function generation(set: KubeObject): Generation {
  const { replicas: existing = 0, availableReplicas: available = 0 } = set['status'] ?? {};
  return { replicas: set['spec'].replicas ?? 0, existing, available };
}

function revision(set: KubeObject): number {
  return Number(set.metadata.annotations?.[REVISION] ?? 0);
}
