/** Why inputs changed. Commits are of one cause each, so that what follows from a commit has that cause and no other. */

/**
 * - `observed`: nothing but deletions, each of them seen to happen, of kinds that were known in full.
 * - `comparison`: a part of finding out what the cluster has; what is missing was not found, rather than seen to go.
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
