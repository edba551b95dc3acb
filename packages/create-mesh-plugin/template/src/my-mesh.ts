/** Discovers my-mesh and translates policies into its objects. */
import { capabilities, defineMeshPlugin, type MeshPlugin } from '@meshrelay/plugin';
import { controlPlane } from './control-plane.ts';
import { member } from './member.ts';
import { ROUTE, routeFor } from './route.ts';

export const myMesh: MeshPlugin = defineMeshPlugin({
  name: 'my-mesh',
  contract: 1,
  // Kinds that discovery reads besides those of Kubernetes that every mesh needs.
  watches: [],
  // Every kind that the plugin writes. Agents refuse others.
  writes: [ROUTE],
  // Name what your mesh can do; the reason is reported for everything else. The kit proves each 'native'.
  capabilities: capabilities('my-mesh has no API for it', {
    'route.timeout': 'native',
    'source.clusters': { always: 'all callers are of the same cluster' },
  }),
  controlPlane,
  member,
  // Called for each Service of the mesh that a policy applies to.
  translateDestination({ destination, routes }, out) {
    const route = routeFor(destination, routes);
    if (route !== undefined) out.emit(destination.cluster, route.object, route.sourcePolicies);
  },
});
