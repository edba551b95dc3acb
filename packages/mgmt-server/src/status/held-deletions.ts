/** Held deletions in the status of a cluster. */
import { type HeldDeletions, MAX_HELD_OUTPUTS } from '@meshrelay/api';
import type { HeldDeletionSet } from '../output/cluster-deletions.ts';
import type { DeletionGuard } from '../output/deletion-guard.ts';
import type { ClusterRecord } from './cluster-record.ts';

/** The first held deletions, with the digest of all. */
export function heldDeletions({ digest, outputs }: HeldDeletionSet): HeldDeletions {
  const first = outputs
    .slice(0, MAX_HELD_OUTPUTS)
    .map(({ object: { group, kind, namespace, name } }) => ({ group, kind, namespace, name }));
  return { digest, count: outputs.length, outputs: first };
}

/**
 * Held deletions by the record that counts, which is that of the replica with the cluster's agent; for a cluster that
 * is not connected, this replica's.
 */
export function heldOf(
  cluster: string,
  record: ClusterRecord | undefined,
  guard: Pick<DeletionGuard, 'heldIn'>,
): HeldDeletions | undefined {
  if (record?.connected === true) return record.heldDeletions;
  const own = guard.heldIn(cluster);
  return own && heldDeletions(own);
}
