/**
 * The precedence of policies: the first accepted one wins, by the ledger. Policies that are not in the ledger yet come
 * after, in a fixed order.
 */
import type { PolicyRef } from '@meshrelay/api';

export interface Precedence {
  /** The ledger's acceptance sequence; Infinity for policies that are not in the ledger. */
  readonly sequence: number;
  readonly ref: PolicyRef;
}

/** Negative if `a` has precedence: by sequence, then management cluster, cluster, namespace, name, kind. */
export function comparePrecedence(a: Precedence, b: Precedence): number {
  if (a.sequence !== b.sequence) return a.sequence < b.sequence ? -1 : 1;
  return compareRefs(a.ref, b.ref);
}

/** By cluster (the management cluster, '', first), namespace, name, kind. */
export function compareRefs(a: PolicyRef, b: PolicyRef): number {
  return (
    compare(a.cluster, b.cluster) ||
    compare(a.namespace, b.namespace) ||
    compare(a.name, b.name) ||
    compare(a.kind, b.kind)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const NO_REFS: readonly PolicyRef[] = Object.freeze([]);

/** Up to this many refs are compared one by one, which is faster than building a key for each. */
const SMALL_COUNT = 16;

/** The refs of both lists, each once, in the order of the first list, then the second. */
export function mergeRefs(...lists: ReadonlyArray<readonly PolicyRef[]>): readonly PolicyRef[] {
  let count = 0;
  let only: readonly PolicyRef[] = NO_REFS;
  for (const list of lists) {
    count += list.length;
    if (list.length > 0) only = list;
  }
  // Most values come from a single policy.
  if (count < 2) return only;
  if (count > SMALL_COUNT) return mergeMany(lists.flat());
  const merged: PolicyRef[] = [];
  for (const list of lists) for (const ref of list) if (!merged.some((known) => sameRef(known, ref))) merged.push(ref);
  // A copy has no spare capacity, which adds up over all stored routes.
  return merged.slice();
}

function mergeMany(refs: readonly PolicyRef[]): readonly PolicyRef[] {
  const seen = new Map<string, PolicyRef>();
  for (const ref of new Set(refs)) {
    const id = JSON.stringify([ref.kind, ref.cluster, ref.namespace, ref.name]);
    if (!seen.has(id)) seen.set(id, ref);
  }
  return [...seen.values()];
}

function sameRef(a: PolicyRef, b: PolicyRef): boolean {
  return a === b || (a.name === b.name && a.namespace === b.namespace && a.cluster === b.cluster && a.kind === b.kind);
}
