// Workload: a controller whose pods run in a mesh, or outside any mesh.
import type * as z from 'zod/mini';
import type { DISCOVERY_API_VERSION } from '../group.ts';
import type { KubeObject } from '../kube/object.ts';
import { labels } from '../schema/collection.ts';
import { object } from '../schema/object.ts';
import { count, name } from '../schema/scalar.ts';
import { type ClusterObjectRef, type ObjectRef, objectRef } from '../shared/ref.ts';

/** The controller at the top of the ownership chain of the pods. */
export interface WorkloadController extends ClusterObjectRef {
  /** Such as `Deployment`. */
  readonly kind: string;
  /** Such as `apps/v1`. */
  readonly apiVersion?: string;
}

/** A workload that runs as Kubernetes pods. */
export interface KubernetesWorkload {
  readonly controller: WorkloadController;
  /** Labels of its pod template. */
  readonly podLabels?: Readonly<Record<string, string>>;
  /** ServiceAccount of its pods. */
  readonly serviceAccountName: string;
}

/** The controller, and its mesh. */
export interface WorkloadSpec {
  readonly kubernetes: KubernetesWorkload;
  /** The Mesh its sidecars belong to; absent outside any mesh. */
  readonly mesh?: ObjectRef;
}

/** Effective policies of a workload. */
export interface WorkloadStatus {
  /** The `metadata.generation` that this status describes. */
  readonly observedGeneration?: number;
}

/**
 * A controller of pods in one cluster, written by discovery; one pod with a sidecar puts the whole controller in the
 * mesh.
 */
export interface Workload extends KubeObject<WorkloadSpec, WorkloadStatus> {
  readonly apiVersion: typeof DISCOVERY_API_VERSION;
  readonly kind: 'Workload';
}

const workloadController: z.ZodMiniType<WorkloadController> = object<WorkloadController>('WorkloadController', {
  required: { kind: name, name, namespace: name, clusterName: name },
  optional: { apiVersion: name },
});

const kubernetesWorkload: z.ZodMiniType<KubernetesWorkload> = object<KubernetesWorkload>('KubernetesWorkload', {
  required: { controller: workloadController, serviceAccountName: name },
  optional: { podLabels: labels },
});

/** Schema of {@link WorkloadSpec}. */
export const workloadSpec: z.ZodMiniType<WorkloadSpec> = object<WorkloadSpec>('WorkloadSpec', {
  required: { kubernetes: kubernetesWorkload },
  optional: { mesh: objectRef },
});

/** Schema of {@link WorkloadStatus}. */
export const workloadStatus: z.ZodMiniType<WorkloadStatus> = object<WorkloadStatus>('WorkloadStatus', {
  required: {},
  optional: { observedGeneration: count },
});
