/** The invariants that are checked on a history of writes; the numbers are those of the fault matrix. */

import { unprovenDeletions } from './deletions.ts';
import type { Entitlement } from './entitlement.ts';
import { outdatedWrites } from './fence.ts';
import type { Write } from './history.ts';
import { needlessWrites } from './needless.ts';
import { vectorsGoingBack } from './vectors.ts';

/** Finds violations of an invariant, as sentences. */
export type Check = (writes: readonly Write[], entitlement: Entitlement) => readonly string[];

export interface Invariant {
  readonly id: 'I3' | 'I5' | 'I7' | 'I10';
  readonly says: string;
  readonly check: Check;
}

/** The final state shows I4, that no object is left over or missing: see `truth`. */
export const INVARIANTS: readonly Invariant[] = [
  { id: 'I3', says: 'nothing is deleted without proof that what made it is gone', check: unprovenDeletions },
  { id: 'I5', says: 'no update or delete of an older term lands', check: outdatedWrites },
  { id: 'I7', says: 'outputs never go back to older inputs', check: vectorsGoingBack },
  { id: 'I10', says: 'nothing is written that changes nothing, or only to be written back', check: needlessWrites },
];
