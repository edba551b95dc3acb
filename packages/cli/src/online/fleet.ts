/** Reads the fleet from the management cluster's objects. */
import { type KindName, type KubeObject, policyKinds } from '@meshrelay/api';
import { isKubeError, type KubeConnection, meshrelayKind } from '@meshrelay/kube';
import { fleetOfObjects, type KnownFleet } from '../describe/known-fleet.ts';

/**
 * Reads it.
 * @throws KubeError if the API server does not answer
 */
export async function readFleet(management: KubeConnection, namespace: string): Promise<KnownFleet> {
  const discovered = await Promise.all(
    (['Mesh', 'Workload', 'Destination'] as const).map((kind) => list(management, kind, namespace)),
  );
  const policies = await Promise.all(policyKinds.map((kind) => list(management, kind)));
  return fleetOfObjects(discovered.flat(), policies.flat());
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
