/** The vector of inputs that outputs were computed from, and its order. */

/** How far one input had come: the term of the agent that told it, and that term's sequence number. */
export interface InputVersion {
  readonly term: number;
  readonly seq: number;
}

/**
 * One component for each cluster that takes part, and for each other source of inputs (the cluster registry and the
 * configuration), under a name that no cluster can have. An input that no longer exists is GONE; it stays so, and is not left out, until everyone knows.
 */
export type InputVector = ReadonlyMap<string, InputVersion | typeof GONE>;

/** Stands for an input that its owner (the registry) has ended. */
export const GONE = 'gone';

/** How a vector stands to another: the components in which it is behind decide. */
export type VectorOrder =
  | { readonly order: 'equal' | 'newer' }
  | { readonly order: 'older' | 'incomparable'; readonly behind: readonly string[] };

/** Negative, zero or positive as `a` is older than, equal to or newer than `b`. */
export function compareVersions(a: InputVersion, b: InputVersion): number {
  return a.term - b.term || a.seq - b.seq;
}

/**
 * Compares component by component. A component that `next` lacks is behind, since absence is not an ending; one that it
 * calls GONE is ahead, whatever it was.
 */
export function compareVectors(next: InputVector, applied: InputVector): VectorOrder {
  const behind: string[] = [];
  let ahead = false;
  for (const [name, version] of applied) {
    const step = stepOf(next.get(name), version);
    if (step < 0) behind.push(name);
    else if (step > 0) ahead = true;
  }
  for (const name of next.keys()) if (!applied.has(name)) ahead = true;
  if (behind.length === 0) return { order: ahead ? 'newer' : 'equal' };
  return { order: ahead ? 'incomparable' : 'older', behind: behind.sort() };
}

function stepOf(next: InputVersion | typeof GONE | undefined, applied: InputVersion | typeof GONE): number {
  if (next === undefined) return applied === GONE ? 0 : -1;
  if (next === GONE) return applied === GONE ? 0 : 1;
  // An input that ended and is there again was registered anew.
  if (applied === GONE) return 1;
  return compareVersions(next, applied);
}
