/** Reads the fleet from the management cluster's objects. */
import { decodeObject, type KindName, type KubeObject, policyKinds } from '@meshrelay/api';
import { isKubeError, type KubeConnection, meshrelayKind } from '@meshrelay/kube';
import type { DiscoveredObject } from '@meshrelay/relay-core';
import { fleetOfObjects, type KnownFleet } from '../describe/known-fleet.ts';

/** The objects of Meshrelay in the management cluster. */
export interface StoredFleet {
  readonly discovered: readonly DiscoveredObject[];
  readonly policies: readonly KubeObject[];
  /** Registered clusters, Settings and Ledgers. */
  readonly administration: readonly KubeObject[];
}

/**
 * Reads it.
 * @throws KubeError if the API server does not answer
 */
export async function readFleet(management: KubeConnection, namespace: string): Promise<KnownFleet> {
  return fleetOfObjects(await readDiscovered(management, namespace), await readPolicies(management));
}

/**
 * Reads everything that results are computed from, without fields that this version does not know.
 * @throws KubeError if the API server does not answer
 */
export async function readStoredFleet(management: KubeConnection, namespace: string): Promise<StoredFleet> {
  const [discovered, policies, administration] = await Promise.all([
    readDiscovered(management, namespace),
    readPolicies(management),
    readKinds(management, ['KubernetesCluster', 'Settings', 'Ledger'], namespace),
  ]);
  return {
    discovered: discovered.map(known) as DiscoveredObject[],
    policies: policies.map(known),
    administration: administration.map(known),
  };
}

function readDiscovered(management: KubeConnection, namespace: string): Promise<KubeObject[]> {
  return readKinds(management, ['Mesh', 'Workload', 'Destination'], namespace);
}

function readPolicies(management: KubeConnection): Promise<KubeObject[]> {
  return readKinds(management, policyKinds);
}

async function readKinds(
  management: KubeConnection,
  kinds: readonly KindName[],
  namespace?: string,
): Promise<KubeObject[]> {
  return (await Promise.all(kinds.map((kind) => list(management, kind, namespace)))).flat();
}

/** Empty if the API server does not serve the kind. */
async function list(management: KubeConnection, kind: KindName, namespace?: string): Promise<KubeObject[]> {
  try {
    return await management.objects(meshrelayKind(kind)).list(namespace === undefined ? {} : { namespace });
  } catch (error) {
    if (isKubeError(error, 'RELAY_E_KUBE_NOT_FOUND')) return [];
    throw error;
  }
}

/** Unchanged if it cannot be read at all. */
function known(object: KubeObject): KubeObject {
  return decodeObject(object, { unknownFields: 'prune' }).object ?? object;
}
