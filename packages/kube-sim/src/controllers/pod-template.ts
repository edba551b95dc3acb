/** Creates pods from the template of a workload. */
import type { Json, KubeObject } from '../object.ts';
import type { ControllerStore } from '../storage/controller-store.ts';
import { NAMESPACE } from './kinds.ts';
import { controllerReference } from './owners.ts';
import { valueHash } from './stable-hash.ts';

/** Admission of a pod before it is stored, for example adding a mesh's sidecar. Must be idempotent and pure. */
export type PodMutator = (pod: KubeObject, namespace: KubeObject | undefined) => KubeObject;

/** A pod to be created. */
export interface NewPod {
  readonly name: string;
  readonly generateName?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly spec?: Readonly<Record<string, Json>>;
}

/** The hash of a workload's template: a different hash means that its pods must be replaced. */
export function templateHash(workload: KubeObject): string {
  return valueHash(workload['spec']?.template ?? null);
}

/** Creates a pod of a workload, controlled by it. */
export function createPod(store: ControllerStore, owner: KubeObject, pod: NewPod, mutate: PodMutator): KubeObject {
  const { namespace = '' } = owner.metadata;
  const template = owner['spec'].template;
  const plain: KubeObject = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: pod.name,
      ...(pod.generateName === undefined ? {} : { generateName: pod.generateName }),
      namespace,
      labels: { ...template.metadata?.labels, ...pod.labels },
      ...(template.metadata?.annotations === undefined ? {} : { annotations: template.metadata.annotations }),
      ownerReferences: [controllerReference(owner)],
    },
    spec: { ...template.spec, ...pod.spec },
  };
  return store.create(mutate(plain, store.get(NAMESPACE, { name: namespace })));
}
