/** What the kit must be told about a mesh to set one up in a made-up cluster. */
import type { KubeObject } from '@meshrelay/api';

/**
 * Makes the Kubernetes objects that the real installer and injector of a mesh would make. Both functions are pure: the same arguments give
 * the same objects.
 */
export interface MeshFixture {
  /**
   * The objects of one control plane. `spec` is what a golden case says of it, in the words of the fixture's own author; `{}` is a control
   * plane as its installer makes it, ready to enforce policies.
   */
  controlPlane(spec: Readonly<Record<string, unknown>>): readonly KubeObject[];
  /** What the injector makes of a pod: with it, the pod carries the mesh's data plane. */
  injected(pod: KubeObject): KubeObject;
}
