/** The library: workloads with plain Envoys, in the cluster that also has OSM. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClusterPlan, RunFolder } from '@meshrelay/local-fleet';

const MANIFESTS = join(import.meta.dirname, '../manifests');
const MANIFEST = join(MANIFESTS, 'library.yaml');

/** The policies of the library's Envoys, as a file. */
export const LIBRARY_POLICIES: string = join(MANIFESTS, 'library-policies.yaml');

/** Its cluster, and the namespace of its mesh. */
export const LIBRARY = { cluster: 'cluster-3', namespace: 'library', virtualMesh: 'library' } as const;

/** The address prefix of its pods in the manifests. */
export const LIBRARY_NETWORK = '127.77.0.';

/** The clusters with the library in its own. @param network the address prefix of its pods */
export function withLibrary(
  plans: readonly ClusterPlan[],
  folder: RunFolder,
  network: string = LIBRARY_NETWORK,
): readonly ClusterPlan[] {
  const manifest =
    network === LIBRARY_NETWORK
      ? MANIFEST
      : folder.write('library.yaml', readFileSync(MANIFEST, 'utf8').replaceAll(LIBRARY_NETWORK, network));
  return plans.map((plan) =>
    plan.name === LIBRARY.cluster ? { ...plan, manifests: [...plan.manifests, manifest] } : plan,
  );
}
