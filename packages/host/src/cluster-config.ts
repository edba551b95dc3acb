/**
 * Connection of a program to its cluster, and leader election there: the same fields in every program's configuration.
 */
import * as z from 'zod';

export interface KubernetesConfig {
  /** Path of a kubeconfig; default: the pod's ServiceAccount. */
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
}

/** Durations of the Lease in milliseconds; defaults as in Kubernetes' own components. */
export interface ElectionConfig {
  readonly leaseDuration?: number | undefined;
  readonly renewDeadline?: number | undefined;
  readonly retryPeriod?: number | undefined;
}

const milliseconds = z.int().positive().optional();

export const kubernetesConfig: z.ZodType<KubernetesConfig> = z
  .strictObject({ kubeconfig: z.string().optional(), context: z.string().optional() })
  .prefault({});

export const electionConfig: z.ZodType<ElectionConfig> = z
  .strictObject({ leaseDuration: milliseconds, renewDeadline: milliseconds, retryPeriod: milliseconds })
  .prefault({});

/** Fields of `kubernetes` and `leaderElection` that the environment and flags may set. */
export const CLUSTER_FIELDS: readonly string[] = [
  'kubernetes.kubeconfig',
  'kubernetes.context',
  'leaderElection.leaseDuration',
  'leaderElection.renewDeadline',
  'leaderElection.retryPeriod',
];
