/**
 * VirtualDestinations of a fleet: each of two Services in two clusters, the first {@link EDITED_POLICIES} to be edited.
 */
import type { KubeObject, VirtualDestination } from '@meshrelay/api';
import {
  clusterOf,
  EDITED_DESTINATIONS,
  EDITED_POLICIES,
  EDITED_SERVICES,
  type FleetShape,
  namespaceOf,
  serviceName,
} from './shape.ts';
import { virtualMeshOf } from './virtual-meshes.ts';

/** Their number in addition to the edited ones: one per this many services. */
const SERVICES_OF_ONE = 100;

export function virtualDestinations(shape: FleetShape): KubeObject[] {
  if (shape.virtualDestinations !== true) return [];
  const others = Math.floor((shape.services - EDITED_SERVICES) / SERVICES_OF_ONE);
  return Array.from({ length: EDITED_POLICIES + others }, (_, position) => virtualDestination(shape, position, 5, 1));
}

/** Edits change `consecutiveErrors`. */
export function virtualDestination(
  shape: FleetShape,
  position: number,
  consecutiveErrors: number,
  generation: number,
): VirtualDestination {
  const isEdited = position < EDITED_POLICIES;
  const first = isEdited
    ? position * EDITED_DESTINATIONS
    : EDITED_SERVICES + (position - EDITED_POLICIES) * SERVICES_OF_ONE;
  // Consecutive services, which are in two clusters.
  const services = [first, first + 1].map((service) => ({
    name: serviceName(service),
    namespace: namespaceOf(service),
    clusterName: clusterOf(shape, service),
  }));
  return {
    apiVersion: 'networking.meshrelay.dev/v1alpha1',
    kind: 'VirtualDestination',
    metadata: { name: `virtual-${position}`, namespace: 'meshrelay', generation, uid: `uid-virtual-${position}` },
    spec: {
      hostname: `virtual-${position}.global`,
      port: { number: 8080, protocol: 'HTTP' },
      virtualMesh: { name: virtualMeshOf(shape, first % shape.clusters), namespace: 'meshrelay' },
      localized: {
        destinationSelectors: [{ kubeServiceRefs: { services } }],
        outlierDetection: { consecutiveErrors },
      },
    },
  } as VirtualDestination;
}
