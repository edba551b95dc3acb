// References between objects.
import type * as z from 'zod/mini';
import { object } from '../schema/object.ts';
import { name, text } from '../schema/scalar.ts';

/** Names an object of the management cluster whose kind the field implies. */
export interface ObjectRef {
  /** The object's name. */
  readonly name: string;
  /** The object's namespace. */
  readonly namespace: string;
}

/** Names an object of one registered cluster whose kind the field implies. */
export interface ClusterObjectRef {
  /** The object's name. */
  readonly name: string;
  /** The object's namespace. */
  readonly namespace: string;
  /** Name of the KubernetesCluster the object lives in. */
  readonly clusterName: string;
}

/** Names an object anywhere in the fleet. */
export interface ResourceRef {
  /** The object's kind. */
  readonly kind: string;
  /** The object's name. */
  readonly name: string;
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  /** Name of a registered cluster; empty for the management cluster. */
  readonly cluster: string;
}

/** Names a policy (a kind with a PolicyStatus, such as VirtualMesh or TrafficPolicy) in any cluster. */
export type PolicyRef = ResourceRef;

/** Schema of {@link ObjectRef}. */
export const objectRef: z.ZodMiniType<ObjectRef> = object<ObjectRef>('ObjectRef', {
  required: { name, namespace: name },
  optional: {},
});

/** Schema of {@link ClusterObjectRef}. */
export const clusterObjectRef: z.ZodMiniType<ClusterObjectRef> = object<ClusterObjectRef>('ClusterObjectRef', {
  required: { name, namespace: name, clusterName: name },
  optional: {},
});

/** Schema of {@link ResourceRef}. */
export const resourceRef: z.ZodMiniType<ResourceRef> = object<ResourceRef>('ResourceRef', {
  required: { kind: name, name, namespace: text, cluster: text },
  optional: {},
});
