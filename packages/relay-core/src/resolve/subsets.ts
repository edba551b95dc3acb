/** Subsets: workloads of a destination that some route sends to, told apart by labels. */
import type { Hasher } from '../input/canonical.ts';
import { canonicalJson } from '../input/canonical.ts';
import type { SubsetView } from '../plugin/views.ts';

/**
 * The subset of these labels. Its name reads `version-v1`; where that could be mistaken for another subset's,
 * 6 hexadecimal digits of the labels' hash follow.
 */
export function subsetOf(labels: Readonly<Record<string, string>>, hash: Hasher): SubsetView {
  const entries = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
  const plain = entries.map(([name, value]) => `${name}-${value}`).join('-');
  const readable = plain
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 50);
  const unambiguous =
    entries.length === 1 && entries.flat().every((part) => /^[a-z0-9]+$/.test(part)) && readable === plain;
  const name = unambiguous ? readable : `${readable}-${hash(canonicalJson(labels)).slice(0, 6)}`;
  return { name, labels: Object.fromEntries(entries) };
}
