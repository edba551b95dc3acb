/** The parts of a mesh that the kit needs to install it in a simulated cluster. */
import type { KubeObject } from '@meshrelay/api';
import type { DiscoveredMesh } from '@meshrelay/plugin';

/**
 * Creates the Kubernetes objects that the real installer and injector of a mesh would create. Both functions are pure:
 * the same arguments give the same objects.
 */
export interface MeshFixture {
  /**
   * The objects of one control plane. `spec` is its entry in a golden case, in the format of the fixture's author. `{}`
   * is a control plane as its installer creates it, ready to enforce policies.
   */
  controlPlane(spec: Readonly<Record<string, unknown>>): readonly KubeObject[];
  /** The pod after injection: it contains the mesh's data plane. */
  injected(pod: KubeObject): KubeObject;
  /** What discovery must find of the control plane of `{}`; omitted: any mesh. */
  readonly mesh?: ExpectedMesh;
}

/** Facts of a mesh that the author knows without the plugin. */
export type ExpectedMesh = Readonly<
  Partial<
    Pick<
      DiscoveredMesh,
      'name' | 'namespace' | 'trustDomain' | 'version' | 'serviceAccount' | 'revision' | 'capturesDns' | 'podLabels'
    >
  >
>;
