/**
 * Tables of renames, one row per line, `#` begins a comment:
 *   old new[|other|…] [where…]     an identifier; the others are tried in order where `new` would collide
 *   file old new [where…]          a file or folder whose name without extensions is `old`
 *   literal old new [where…]       a string literal in code with exactly this text
 *   text old new [where…]         these characters, in any file
 *   keep old [where…]              leaves an identifier unchanged; `*` leaves all
 * `where` is a glob from the root, `@name` for a package or a folder of the root, `!glob`, or `kind:type`,
 * `kind:value`, `kind:member`, `kind:unresolved`. The first row that fits a declaration wins.
 */
import { matchesGlob } from 'node:path';

/** `unresolved`: a use without any declaration, as of a property of a mapped type. */
export type Kind = 'type' | 'value' | 'member' | 'unresolved';

export interface Row {
  readonly what: 'id' | 'file' | 'literal' | 'text';
  readonly old: string;
  /** Empty: left unchanged. */
  readonly names: readonly string[];
  readonly globs: readonly string[];
  readonly not: readonly string[];
  readonly kinds: readonly string[];
  /** File and line of the table. */
  readonly origin: string;
}

const ROOTS = /^(?:bench|demo|e2e|faults|properties|scripts|simulation|tools)$/;

export function parseTable(text: string, file: string): Row[] {
  return text.split('\n').flatMap((line, at) => {
    // `@name` is a package, or a folder of the root.
    const words = line
      .replace(/(^|\s)#.*/, '')
      .split(/\s+/)
      .filter(Boolean);
    if (words.length === 0) return [];
    const origin = `${file}:${at + 1}`;
    const [first = '', second = ''] = words;
    const what = first === 'file' || first === 'literal' || first === 'text' ? first : 'id';
    const keep = first === 'keep';
    const [old, names, places] =
      what !== 'id'
        ? [second, words[2], words.slice(3)]
        : keep
          ? [second, '', words.slice(2)]
          : [first, second, words.slice(2)];
    if (old === undefined || names === undefined)
      throw new Error(`${origin}: expected "old new [where…]", got: ${line}`);
    const bad = names.split('|').find((name) => what === 'id' && !keep && !/^[A-Za-z_$][\w$]*$/.test(name));
    if (bad !== undefined) throw new Error(`${origin}: "${bad}" is not an identifier`);
    const where = places.map((each) =>
      each.replace(/^(!?)@(.+)$/, (_, not, name) => `${not}${ROOTS.test(name) ? name : `packages/${name}`}/**`),
    );
    return {
      what,
      old,
      names: names === '' ? [] : names.split('|'),
      globs: where.filter((each) => !each.startsWith('kind:') && !each.startsWith('!')),
      not: where.filter((each) => each.startsWith('!')).map((each) => each.slice(1)),
      kinds: where.filter((each) => each.startsWith('kind:')).map((each) => each.slice(5)),
      origin,
    };
  });
}

/** Whether a row applies to a declaration of this kind in this file. */
export function fits(row: Row, file: string, kind?: Kind): boolean {
  return (
    (row.globs.length === 0 || row.globs.some((glob) => matchesGlob(file, glob))) &&
    !row.not.some((glob) => matchesGlob(file, glob)) &&
    (row.kinds.length === 0 ? kind !== 'unresolved' : kind !== undefined && row.kinds.includes(kind))
  );
}
