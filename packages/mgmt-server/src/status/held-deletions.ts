/** What waits to be approved, as the status of a cluster shows it. */
import { type HeldDeletions, MAX_HELD_OUTPUTS } from '@meshrelay/api';
import type { HeldDeletionSet } from '../output/cluster-deletions.ts';
import type { DeletionGuard } from '../output/deletion-guard.ts';
import type { ClusterRecord } from './cluster-record.ts';

/** The first of what is held, with the digest of all. */
export function heldDeletions({ digest, outputs }: HeldDeletionSet): HeldDeletions {
  const first = outputs
    .slice(0, MAX_HELD_OUTPUTS)
    .map(({ object: { group, kind, namespace, name } }) => ({ group, kind, namespace, name }));
  return { digest, count: outputs.length, outputs: first };
}

/** What the replica holds that the cluster's agent is connected to, by the record that counts; of one that is connected nowhere, what this replica does. */
export function heldOf(
  cluster: string,
  record: ClusterRecord | undefined,
  guard: Pick<DeletionGuard, 'heldIn'>,
): HeldDeletions | undefined {
  if (record?.connected === true) return record.held;
  const own = guard.heldIn(cluster);
  return own && heldDeletions(own);
}
