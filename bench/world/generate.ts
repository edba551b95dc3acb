/** A whole world, object by object, as the texts that agents and the management cluster would send. */
import { createHash } from 'node:crypto';
import type { KubeObject, VirtualMesh } from '@meshrelay/api';
import { gatewayDestination, meshObject, serviceDestination, serviceWorkload } from './discovered.ts';
import { makePolicies } from './policies.ts';
import { seededRandom } from './random.ts';
import { clusterName, EDITED_SERVICES, type WorldShape } from './shape.ts';

/** An object as it arrives. */
export interface WorldObject {
  /** '' for the management cluster. */
  readonly cluster: string;
  readonly json: string;
}

export interface GeneratedWorld {
  readonly objects: readonly WorldObject[];
  /** SHA-256 over clusters and texts, cut to 64 bits: two runs with the same checksum measured the same world. */
  readonly checksum: string;
  /** UTF-16 code units of all texts; the texts are ASCII, so also bytes. */
  readonly bytes: number;
}

export function generateWorld(shape: WorldShape): GeneratedWorld {
  const hash = createHash('sha256');
  const objects: WorldObject[] = [];
  let bytes = 0;
  for (const { cluster, object } of objectsOf(shape)) {
    const json = JSON.stringify(object);
    hash.update(cluster).update(json);
    bytes += json.length;
    objects.push({ cluster, json });
  }
  return { objects, checksum: hash.digest('hex').slice(0, 16), bytes };
}

function* objectsOf(shape: WorldShape): Iterable<{ readonly cluster: string; readonly object: KubeObject }> {
  const { policies, groupLabels } = makePolicies(shape, seededRandom(shape.seed));
  for (let position = 0; position < shape.clusters; position++) {
    const cluster = clusterName(position);
    yield { cluster: '', object: kubernetesCluster(cluster) };
    yield { cluster, object: meshObject(cluster) };
    yield { cluster, object: gatewayDestination(cluster, position) };
  }
  for (let service = 0; service < shape.services; service++) {
    const destination = serviceDestination(shape, service, groupLabels.get(service) ?? {});
    const cluster = destination.spec.kubeService.ref.clusterName;
    yield { cluster, object: destination };
    yield { cluster, object: serviceWorkload(shape, service) };
  }
  for (const object of policies) yield { cluster: '', object };
  if (shape.exportEvery > 0) yield { cluster: '', object: virtualMesh(shape) };
}

/** A further cluster with services in namespaces of its own, parsed already; only policies on everything select them. */
export function objectsOfCluster(
  cluster: string,
  services: number,
): ReadonlyArray<{ readonly cluster: string; readonly object: KubeObject }> {
  const shape: WorldShape = { clusters: 1, services: 0, policies: 0, exportEvery: 0, seed: 0 };
  const moved = (object: KubeObject): KubeObject =>
    JSON.parse(
      JSON.stringify(object).replaceAll('"cluster-1"', JSON.stringify(cluster)).replaceAll('"team-', '"joined-'),
    );
  const found: KubeObject[] = [];
  for (let service = EDITED_SERVICES; service < EDITED_SERVICES + services; service++)
    found.push(serviceDestination(shape, service, {}), serviceWorkload(shape, service));
  return [
    { cluster: '', object: kubernetesCluster(cluster) },
    { cluster, object: meshObject(cluster) },
    ...found.map((object) => ({ cluster, object: moved(object) })),
  ];
}

function kubernetesCluster(name: string): KubeObject {
  return {
    apiVersion: 'multicluster.meshrelay.dev/v1alpha1',
    kind: 'KubernetesCluster',
    metadata: { name, namespace: 'meshrelay' },
    spec: { clusterDomain: 'cluster.local' },
  } as unknown as KubeObject;
}

function virtualMesh({ clusters }: WorldShape): VirtualMesh {
  return {
    apiVersion: 'networking.meshrelay.dev/v1alpha1',
    kind: 'VirtualMesh',
    metadata: { name: 'all', namespace: 'meshrelay', generation: 1 },
    spec: {
      meshes: Array.from({ length: clusters }, (_, position) => ({
        name: `istiod-istio-system-${clusterName(position)}`,
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
