/** Expands a path from the user to files. */
import { Buffer } from 'node:buffer';
import { closeSync, openSync, readdirSync, readFileSync, readSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../problem.ts';
import type { InputFile } from './documents.ts';
import { megabytes } from './megabytes.ts';

/** meshctl reads files into memory as a whole. */
const MAX_BYTES = 256 * 1024 * 1024;
const ENDINGS = /\.(ya?ml|json)$/i;

/** The path that means standard input. */
const STANDARD_INPUT = '-';
const PIECE_BYTES = 64 * 1024;

/** Maximum depth of folders; deeper nesting is a mistake, such as a link to a parent. */
const MAX_DEPTH = 32;

/**
 * The YAML and JSON files of a path: the file itself, or all files below a folder, sorted by name. Supports pipes, such
 * as those that a shell creates for `<(command)`, and `-` for standard input.
 * @throws InputError for a missing path, a folder without such files, or a file that is too large
 */
export function readInputFiles(path: string): InputFile[] {
  if (path === STANDARD_INPUT || isPipe(stat(path))) return [{ path, text: readPipe(path) }];
  const paths = filesBelow(path, 0);
  if (paths.length === 0) throw new InputError(`${path}: this folder has no .yaml, .yml or .json file`);
  return paths.map((one) => ({ path: one, text: readText(one) }));
}

function filesBelow(path: string, depth: number): string[] {
  const found = stat(path);
  if (found.isFile()) return depth === 0 || ENDINGS.test(path) ? [path] : [];
  if (!found.isDirectory()) return [];
  if (depth > MAX_DEPTH) throw new InputError(`${path}: folders are nested more than ${MAX_DEPTH} deep`);
  return readdirSync(path)
    .sort()
    .filter((name) => !name.startsWith('.') && name !== 'node_modules')
    .flatMap((name) => filesBelow(join(path, name), depth + 1));
}

function stat(path: string): Stats {
  try {
    return statSync(path);
  } catch (cause) {
    throw new InputError(`${path}: ${reason(cause)}; give the path of a YAML file or of a folder with some`, { cause });
  }
}

function isPipe(found: Stats): boolean {
  return !found.isFile() && !found.isDirectory();
}

function readText(path: string): string {
  const { size } = stat(path);
  if (size > MAX_BYTES) throw tooLarge(path, size);
  return textOf(path, () => readFileSync(path));
}

/** Contents of pipes: a pipe can only be read once, and commands use some files twice. */
const pipes = new Map<string, string>();

function readPipe(path: string): string {
  const known = pipes.get(path);
  if (known !== undefined) return known;
  const text = textOf(path, () => readToEnd(path));
  pipes.set(path, text);
  return text;
}

function readToEnd(path: string): Buffer {
  const pipe = path === STANDARD_INPUT ? 0 : openSync(path, 'r');
  try {
    const pieces: Buffer[] = [];
    for (let length = 0; ; ) {
      const piece = Buffer.alloc(PIECE_BYTES);
      const count = readSync(pipe, piece, 0, piece.length, null);
      if (count === 0) return Buffer.concat(pieces);
      length += count;
      if (length > MAX_BYTES) throw tooLarge(path, length);
      pieces.push(piece.subarray(0, count));
    }
  } finally {
    if (pipe !== 0) closeSync(pipe);
  }
}

function textOf(path: string, read: () => Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(read());
  } catch (cause) {
    if (cause instanceof InputError) throw cause;
    const why = cause instanceof TypeError ? 'it is not UTF-8 text; save it as UTF-8' : reason(cause);
    throw new InputError(`${path}: ${why}`, { cause });
  }
}

function tooLarge(path: string, bytes: number): InputError {
  return new InputError(
    `${path}: it has ${megabytes(bytes)} MB or more, and a file may have ${megabytes(MAX_BYTES)} MB; split it into several files of one folder`,
  );
}

function reason(cause: unknown): string {
  switch ((cause as { code?: unknown }).code) {
    case 'ENOENT':
      return 'no such file or folder';
    case 'EACCES':
      return 'permission denied';
    default:
      return cause instanceof Error ? cause.message : String(cause);
  }
}
