/** How a program reaches the cluster it runs for, and contends for its Lease: the same words in every program's configuration. */
import { z } from 'zod';

export interface KubernetesConfig {
  /** Path of a kubeconfig; without one the pod's own ServiceAccount. */
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
}

/** Durations of the Lease in milliseconds; those of Kubernetes' own components by default. */
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

/** What the environment and flags may set of the two, as fields `kubernetes` and `leaderElection`. */
export const CLUSTER_FIELDS: readonly string[] = [
  'kubernetes.kubeconfig',
  'kubernetes.context',
  'leaderElection.leaseDuration',
  'leaderElection.renewDeadline',
  'leaderElection.retryPeriod',
];
