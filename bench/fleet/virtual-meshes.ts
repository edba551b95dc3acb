/** The VirtualMeshes of a fleet: one of all clusters, or one per group of clusters. */
import type { VirtualMesh } from '@meshrelay/api';
import { clusterName, type FleetShape } from './shape.ts';

export function virtualMeshes(shape: FleetShape): VirtualMesh[] {
  const { exportEvery, clusters } = shape;
  if (exportEvery === 0) return [];
  const count = Math.ceil(clusters / clustersOfOne(shape));
  return Array.from({ length: count }, (_, position) => virtualMesh(shape, position));
}

/** The name of a cluster's VirtualMesh. */
export function virtualMeshOf(shape: FleetShape, cluster: number): string {
  return nameOf(shape, Math.floor(cluster / clustersOfOne(shape)));
}

/** `more` names further member clusters. */
export function virtualMesh(shape: FleetShape, position: number, more: readonly string[] = []): VirtualMesh {
  const size = clustersOfOne(shape);
  const first = position * size;
  const own = Array.from({ length: Math.min(size, shape.clusters - first) }, (_, at) => clusterName(first + at));
  return {
    apiVersion: 'networking.meshrelay.dev/v1alpha1',
    kind: 'VirtualMesh',
    metadata: { name: nameOf(shape, position), namespace: 'meshrelay', generation: 1 + more.length },
    spec: {
      meshes: [...own, ...more].map((cluster) => ({
        name: `istiod-istio-system-${cluster}`,
        namespace: 'meshrelay',
      })),
      federation: {
        selectors: [
          { destinationSelectors: [{ kubeServiceMatcher: { labels: { 'example.com/visibility': 'exported' } } }] },
        ],
      },
    },
  } as unknown as VirtualMesh;
}

function clustersOfOne({ clusters, clustersOfMesh = clusters }: FleetShape): number {
  return clustersOfMesh;
}

function nameOf({ clustersOfMesh }: FleetShape, position: number): string {
  return clustersOfMesh === undefined ? 'all' : `group-${position}`;
}
