/** Discovery of Istio in a cluster. */
import {
  CONFIG_MAP,
  type ConfigMap,
  DEPLOYMENT,
  type DiscoveryBuilder,
  NAMESPACE,
  POD,
  type Pod,
  type PodController,
  SERVICE,
} from '@meshrelay/plugin';
import { controlPlanes } from './control-planes.ts';
import { templateSidecars } from './injection.ts';
import { serviceVisibility } from './service-visibility.ts';
import { sidecars } from './sidecars.ts';

/** Defines the discovery of Istio from the objects of one cluster. */
export function discover(define: DiscoveryBuilder): void {
  const meshes = controlPlanes(
    define.graph,
    define.objects<PodController>(DEPLOYMENT),
    define.objects<ConfigMap>(CONFIG_MAP),
  );
  define.meshes(meshes);
  define.serviceDetails(serviceVisibility(define.graph, define.objects(SERVICE)));
  define.members(sidecars(define.graph, define.objects<Pod>(POD), meshes));
  define.templateMembers(templateSidecars(define.graph, define.templates, define.objects(NAMESPACE), meshes));
}
