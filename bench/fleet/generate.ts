/** A whole fleet, object by object, as the texts that agents and the management cluster would send. */
import { createHash } from 'node:crypto';
import type { KubeObject } from '@meshrelay/api';
import { gatewayDestination, meshObject, serviceDestination, serviceWorkload } from './discovered.ts';
import { makePolicies } from './policies.ts';
import { seededRandom } from './random.ts';
import { clusterName, EDITED_SERVICES, type FleetShape } from './shape.ts';
import { virtualDestinations } from './virtual-destinations.ts';
import { virtualMeshes } from './virtual-meshes.ts';
import { workspaceObjects } from './workspaces.ts';

/** An object in its input form. */
export interface FleetObject {
  /** '' for the management cluster. */
  readonly cluster: string;
  readonly json: string;
}

export interface GeneratedFleet {
  readonly objects: readonly FleetObject[];
  /** SHA-256 over clusters and texts, cut to 64 bits: two runs with the same checksum measured the same fleet. */
  readonly checksum: string;
  /** UTF-16 code units of all texts; the texts are ASCII, so also bytes. */
  readonly bytes: number;
}

export function generateFleet(shape: FleetShape): GeneratedFleet {
  const hash = createHash('sha256');
  const objects: FleetObject[] = [];
  let bytes = 0;
  for (const { cluster, object } of objectsOf(shape)) {
    const json = JSON.stringify(object);
    hash.update(cluster).update(json);
    bytes += json.length;
    objects.push({ cluster, json });
  }
  return { objects, checksum: hash.digest('hex').slice(0, 16), bytes };
}

function* objectsOf(shape: FleetShape): Iterable<{ readonly cluster: string; readonly object: KubeObject }> {
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
  const more = [...virtualMeshes(shape), ...workspaceObjects(shape), ...virtualDestinations(shape)];
  for (const object of [...policies, ...more]) yield { cluster: '', object };
}

/**
 * A further cluster with services in its own namespaces, already parsed; only policies on everything select them.
 * Federates every `exportEvery`-th to others; 0: none.
 */
export function objectsOfCluster(
  cluster: string,
  services: number,
  exportEvery = 0,
): ReadonlyArray<{ readonly cluster: string; readonly object: KubeObject }> {
  const shape: FleetShape = { clusters: 1, services: 0, policies: 0, exportEvery, seed: 0 };
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
    ...(exportEvery > 0 ? [{ cluster, object: gatewayDestination(cluster, 0) }] : []),
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
