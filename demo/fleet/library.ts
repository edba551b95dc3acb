/** The library: workloads with plain Envoys, in the cluster that has OSM, too. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClusterPlan, RunFolder } from '@meshrelay/local-fleet';

const MANIFESTS = join(import.meta.dirname, '../manifests');
const MANIFEST = join(MANIFESTS, 'library.yaml');

/** What the library's Envoys are told, as a file. */
export const LIBRARY_POLICIES: string = join(MANIFESTS, 'library-policies.yaml');

/** Where it is, and what its mesh is in. */
export const LIBRARY = { cluster: 'cluster-3', namespace: 'library', virtualMesh: 'library' } as const;

/** How the addresses of its pods begin, as they are written. */
export const LIBRARY_NETWORK = '127.77.0.';

/** The clusters with the library in its own. @param network how the addresses of its pods are to begin */
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
