/** What waits to be approved, as the status of a cluster shows it. */
import { type HeldDeletions, MAX_HELD_OUTPUTS } from '@meshrelay/api';
import type { HeldShrink } from '../output/cluster-shrinks.ts';

/** The first of what is held, with the digest of all. */
export function heldDeletions({ digest, outputs }: HeldShrink): HeldDeletions {
  const first = outputs
    .slice(0, MAX_HELD_OUTPUTS)
    .map(({ object: { group, kind, namespace, name } }) => ({ group, kind, namespace, name }));
  return { digest, count: outputs.length, outputs: first };
}
