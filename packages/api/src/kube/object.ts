// The outer shape every object of ours has.
import type { KubeMetadata } from './metadata.ts';

/** A Kubernetes object with a spec and, once something reported on it, a status. */
export interface KubeObject<Spec = unknown, Status = unknown> {
  /** Group and version, such as `networking.meshrelay.dev/v1alpha1`. */
  readonly apiVersion: string;
  /** Name of the kind within its group. */
  readonly kind: string;
  /** Name, place and versions of the object. */
  readonly metadata: KubeMetadata;
  /** What the author wants; for discovered kinds, what was found. */
  readonly spec: Spec;
  /** What became of it; written by Meshrelay only. */
  readonly status?: Status;
}
