/** Subsets: workloads of a destination that some route sends requests to, distinguished by labels. */

import { memoize, type SubsetView } from '@meshrelay/plugin';
import type { Hasher } from '../../input/canonical.ts';
import { canonicalJson } from '../../input/canonical.ts';

/**
 * The subset of these labels. Its name reads `version-v1`. If another subset could have that name, {@link HASH_DIGITS}
 * hexadecimal digits of the labels' hash follow. At most 61 characters, as DNS requires.
 */
export function subsetOf(labels: Readonly<Record<string, string>>, hash: Hasher): SubsetView {
  return namedBy(hash)(labels);
}

/** A policy's labels are the same object wherever it applies. */
const namedBy = memoize((hash: Hasher) =>
  memoize((labels: Readonly<Record<string, string>>) => newSubset(labels, hash)),
);

function newSubset(labels: Readonly<Record<string, string>>, hash: Hasher): SubsetView {
  const entries = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
  const plain = entries.map(([name, value]) => `${name}-${value}`).join('-');
  const readable = plain
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 50);
  const name =
    isPlain(entries) && readable === plain
      ? readable
      : `${readable || 'subset'}-${hash(canonicalJson(labels)).slice(0, HASH_DIGITS)}`;
  return { name, labels: Object.fromEntries(entries) };
}

const HASH_DIGITS = 10;

/** One label, in letters and digits, whose value cannot be the end of a name with a hash. */
function isPlain(entries: ReadonlyArray<readonly [string, string]>): boolean {
  const [[name = '', value = ''] = []] = entries;
  const looksLikeHash = value.length === HASH_DIGITS && /^[0-9a-f]+$/.test(value);
  return entries.length === 1 && /^[a-z0-9]+$/.test(name) && /^[a-z0-9]+$/.test(value) && !looksLikeHash;
}
