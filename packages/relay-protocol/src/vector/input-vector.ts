/** The vector of inputs that outputs were computed from, and its order. */

/** Version of one input: the term of the agent that sent it, and the sequence number in that term. */
export interface InputVersion {
  readonly term: number;
  readonly seq: number;
}

/**
 * One component per cluster, and one per other source of inputs (the cluster registry and the configuration), under a
 * name that no cluster can have. A deleted input is GONE, and not left out, until every replica knows it.
 */
export type InputVector = ReadonlyMap<string, InputVersion | typeof GONE>;

/** Marks an input that its owner (the registry) deleted. */
export const GONE = 'gone';

/** Order of two vectors: the components in which the first is behind decide. */
export type VectorOrder =
  | { readonly order: 'equal' | 'newer' }
  | { readonly order: 'older' | 'incomparable'; readonly behind: readonly string[] };

/** Negative, zero or positive when `a` is older than, equal to or newer than `b`. */
export function compareVersions(a: InputVersion, b: InputVersion): number {
  return a.term - b.term || a.seq - b.seq;
}

/**
 * Compares each component. A component that `next` lacks is behind, since absence is not a deletion; one that is GONE
 * in `next` is ahead of any version.
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
  // A deleted input that exists again was registered again.
  if (applied === GONE) return 1;
  return compareVersions(next, applied);
}
