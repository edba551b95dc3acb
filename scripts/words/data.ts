/** The words that the repository must not use, and where one of them may stay. */
import { readFileSync } from 'node:fs';

/** A banned word, or a family of them. */
export interface Pattern {
  readonly name: string;
  /** `id`: identifiers, file names and folder names, split into words. `text`: comments, strings, Markdown and YAML. */
  readonly in: 'id' | 'text';
  readonly re: RegExp;
  /** The terms to use instead. */
  readonly to: string;
}

/** An exception: a path, an identifier, or an identifier within a path. */
export interface Allowed {
  /** A glob from the root. */
  readonly path?: string;
  readonly token?: string;
  /** With `path`: only the name of the file is allowed, its content is checked. */
  readonly in?: 'path';
  readonly why: string;
}

const HERE = new URL('.', import.meta.url);

/** Reads `patterns.jsonl`. */
export function readPatterns(): Pattern[] {
  return parsePatterns(readFileSync(new URL('patterns.jsonl', HERE), 'utf8'));
}

/** Reads `allowed.jsonl`. */
export function readAllowed(): Allowed[] {
  return parseLines<Allowed>(readFileSync(new URL('allowed.jsonl', HERE), 'utf8'));
}

/** One pattern a line. */
export function parsePatterns(text: string): Pattern[] {
  return parseLines<Omit<Pattern, 're'> & { re: string }>(text).map((each) => ({
    ...each,
    re: new RegExp(each.re, each.in === 'text' ? 'gi' : 'g'),
  }));
}

function parseLines<T>(text: string): T[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as T);
}
