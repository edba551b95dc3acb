/** The invariants that a history of writes is judged by; the numbers are those of the fault matrix. */

import { unprovenDeletions } from './deletions.ts';
import { outdatedWrites } from './fence.ts';
import type { Write } from './history.ts';
import { needlessWrites } from './needless.ts';
import { vectorsGoingBack } from './vectors.ts';

/** What the row itself did that entitles the product to more than nothing. */
export interface Entitlement {
  /** Whether an output may be deleted: the row has taken away what it was made from. */
  readonly deletion: (write: Write) => boolean;
  /**
   * The row makes the election itself lie. Nothing but the raised term then tells the older leader, and not before it hears of it: its successor's
   * term counts from the first output it writes, not from its beginning.
   */
  readonly electionLies?: boolean;
}

/** Finds what breaks an invariant, as sentences. */
export type Check = (writes: readonly Write[], entitlement: Entitlement) => readonly string[];

export interface Invariant {
  readonly id: 'I3' | 'I5' | 'I7' | 'I10';
  readonly says: string;
  readonly check: Check;
}

/** I4, that nothing is left over or missing, is judged by the final state: see `truth`. */
export const INVARIANTS: readonly Invariant[] = [
  { id: 'I3', says: 'nothing is deleted without proof that what made it is gone', check: unprovenDeletions },
  { id: 'I5', says: 'no update or delete of an older term lands', check: outdatedWrites },
  { id: 'I7', says: 'outputs never go back to older inputs', check: vectorsGoingBack },
  { id: 'I10', says: 'nothing is written that changes nothing, or only to be written back', check: needlessWrites },
];
