/** Discovery of OSM in a cluster. */
import { DEPLOYMENT, type DiscoveryBuilder, NAMESPACE, POD, type Pod, type PodController } from '@meshrelay/plugin';
import { MESH_CONFIG, MESH_ROOT_CERTIFICATE } from '../kinds.ts';
import { controlPlanes } from './control-planes.ts';
import { templateSidecars } from './injection.ts';
import type { MeshConfig } from './mesh-config-facts.ts';
import { sidecars } from './sidecars.ts';
import type { MeshRootCertificate } from './trust-domain.ts';

/** Defines the discovery of OSM from the objects of one cluster. */
export function discover(define: DiscoveryBuilder): void {
  const meshes = controlPlanes(
    define.graph,
    define.objects<PodController>(DEPLOYMENT),
    define.objects<MeshConfig>(MESH_CONFIG),
    define.objects<MeshRootCertificate>(MESH_ROOT_CERTIFICATE),
  );
  define.meshes(meshes);
  define.members(sidecars(define.graph, define.objects<Pod>(POD), meshes));
  define.templateMembers(templateSidecars(define.graph, define.templates, define.objects(NAMESPACE), meshes));
}
