/** Finds banned words in files. */
import { matchesGlob } from 'node:path';
import type { Allowed, Pattern } from './data.ts';
import { splitWords } from './split.ts';
import { joinLines, type Token, tokensOfCode, tokensOfProto } from './tokens.ts';

/** One use of a banned word. */
export interface Finding {
  readonly file: string;
  /** From 1; 0 for the name of the file or of a folder. */
  readonly line: number;
  readonly pattern: Pattern;
  /** The found text: the identifier, the path, or the words of a text. */
  readonly found: string;
}

export interface Report {
  readonly findings: readonly Finding[];
  /** Lines with a `words: allow` comment. */
  readonly optOuts: readonly string[];
}

const OPT_OUT = /words: allow (\S+) — \S/;

/** All uses of banned words in the files; `files` has the texts by path from the root. */
export function checkWords(
  files: ReadonlyMap<string, string>,
  patterns: readonly Pattern[],
  allowed: readonly Allowed[],
): Report {
  const findings: Finding[] = [];
  const optOuts: string[] = [];
  const idPatterns = patterns.filter((each) => each.in === 'id');
  const textPatterns = patterns.filter((each) => each.in === 'text');
  const anyText = new RegExp(textPatterns.map((each) => `(?:${each.re.source})`).join('|') || '(?!)', 'i');
  const patternsOf = memoizeIds(idPatterns);
  const folders = new Set<string>();
  for (const [file, source] of files) {
    const exceptions = allowed.filter(({ path }) => path === undefined || matchesGlob(file, path));
    if (exceptions.some((each) => each.path && !each.token && each.in !== 'path')) continue;
    const tokens = new Set(exceptions.flatMap(({ token }) => token ?? []));
    if (!exceptions.some((each) => each.in === 'path')) {
      for (const name of newNames(file, folders))
        for (const pattern of patternsOf(name.slice(name.lastIndexOf('/') + 1).replace(/(?:\.\w+)+$/, '')))
          findings.push({ file: name, line: 0, pattern, found: name });
    }
    const lineAt = lineCounter(source);
    const excused = new Map<number, string>();
    if (source.includes('words: allow')) {
      source.split('\n').forEach((text, at) => {
        const word = OPT_OUT.exec(text)?.[1];
        if (word === undefined) return;
        excused.set(at + 1, word.toLowerCase());
        optOuts.push(`${file}:${at + 1}`);
      });
    }
    const add = (line: number, pattern: Pattern, found: string): void => {
      const word = excused.get(line);
      if (word === undefined || !found.toLowerCase().includes(word)) findings.push({ file, line, pattern, found });
    };
    for (const token of tokensOf(file, source)) {
      if (token.kind === 'id') {
        if (tokens.has(token.text)) continue;
        for (const pattern of patternsOf(token.text)) add(lineAt(token.start), pattern, token.text);
        continue;
      }
      const { joined, lineOf } = joinLines(token.text);
      if (!anyText.test(joined)) continue;
      const first = lineAt(token.start);
      for (const pattern of textPatterns)
        for (const match of joined.matchAll(pattern.re)) add(first + lineOf(match.index), pattern, match[0]);
    }
  }
  return { findings, optOuts };
}

/** Number of findings per pattern, 0 included, in the order of the patterns. */
export function countByPattern(patterns: readonly Pattern[], findings: readonly Finding[]): Map<string, number> {
  const totals = new Map(patterns.map(({ name }) => [name, 0]));
  for (const { pattern } of findings) totals.set(pattern.name, (totals.get(pattern.name) ?? 0) + 1);
  return totals;
}

function tokensOf(file: string, source: string): Token[] {
  if (/\.[mc]?[jt]s$/.test(file)) return tokensOfCode(source);
  if (file.endsWith('.proto')) return tokensOfProto(source);
  return [{ kind: 'text', text: source, start: 0 }];
}

/** The path itself, and those of its folders that are not in any previous file's path. */
function newNames(file: string, folders: Set<string>): string[] {
  const names = [file];
  for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) {
    const folder = file.slice(0, end);
    if (folders.has(folder)) break;
    folders.add(folder);
    names.push(folder);
  }
  return names;
}

/** Line numbers of increasing offsets. */
function lineCounter(source: string): (offset: number) => number {
  let line = 1;
  let seen = 0;
  return (offset) => {
    for (let at = source.indexOf('\n', seen); at >= 0 && at < offset; at = source.indexOf('\n', at + 1)) {
      line++;
      seen = at + 1;
    }
    return line;
  };
}

function memoizeIds(patterns: readonly Pattern[]): (id: string) => readonly Pattern[] {
  const known = new Map<string, readonly Pattern[]>();
  return (id) => {
    let found = known.get(id);
    if (!found) {
      const words = splitWords(id);
      found = patterns.filter(({ re }) => words.search(re) >= 0);
      known.set(id, found);
    }
    return found;
  };
}
