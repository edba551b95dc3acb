/** Why inputs changed. Each commit has one cause, so everything derived from a commit has that cause and no other. */

/**
 * - `observed`: only deletions, each of them observed, of kinds that were synced.
 * - `comparison`: part of the comparison with the cluster; missing objects were not found, rather than seen deleted.
 * - `edit`: anything else.
 */
export type InputCause =
  | { readonly type: 'observed' }
  | { readonly type: 'comparison'; readonly cluster: string }
  | { readonly type: 'edit' };

export const OBSERVED: InputCause = { type: 'observed' };
export const EDIT: InputCause = { type: 'edit' };

export function isSameCause(a: InputCause, b: InputCause): boolean {
  return a.type === b.type && (a.type !== 'comparison' || b.type !== 'comparison' || a.cluster === b.cluster);
}
