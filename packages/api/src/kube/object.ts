// The outer shape of every Meshrelay object.
import type { KubeMetadata } from './metadata.ts';

/** A Kubernetes object with a spec and, once it was reported, a status. */
export interface KubeObject<Spec = unknown, Status = unknown> {
  /** Group and version, such as `networking.meshrelay.dev/v1alpha1`. */
  readonly apiVersion: string;
  /** Name of the kind within its group. */
  readonly kind: string;
  /** Name, namespace and versions of the object. */
  readonly metadata: KubeMetadata;
  /** The desired state; for discovered kinds, the observed state. */
  readonly spec: Spec;
  /** The reported state; only Meshrelay writes it. */
  readonly status?: Status;
}
