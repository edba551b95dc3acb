/** The files that a path given by the user stands for. */
import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../problem.ts';
import { megabytes } from './megabytes.ts';

/** Files are read whole. */
const MAX_BYTES = 256 * 1024 * 1024;
const ENDINGS = /\.(ya?ml|json)$/i;

export interface InputFile {
  readonly path: string;
  readonly text: string;
}

/** Folders in folders; no one nests deeper but by mistake, such as a link back up. */
const MAX_DEPTH = 32;

/**
 * The YAML and JSON files of a path: itself, or all below it where it is a folder, in the order of their names.
 * @throws InputError for a path that is not there, a folder without such files, a file that is too large
 */
export function readInputFiles(path: string): InputFile[] {
  const paths = filesBelow(path, 0);
  if (paths.length === 0) throw new InputError(`${path}: there is no .yaml, .yml or .json file in this folder`);
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

function readText(path: string): string {
  const { size } = stat(path);
  if (size > MAX_BYTES) {
    throw new InputError(
      `${path}: it has ${megabytes(size)} MB, more than the ${megabytes(MAX_BYTES)} MB a file may have; split it into several files of one folder`,
    );
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (cause) {
    throw new InputError(`${path}: ${cause instanceof TypeError ? 'it is not UTF-8 text' : reason(cause)}`, { cause });
  }
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
