/** Objects from YAML and JSON files. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LineCounter, parseAllDocuments } from 'yaml';
import { duplicateFields } from '../http/duplicate-fields.ts';
import type { Json, KubeObject } from '../object.ts';
import { isObject } from '../schema/json-values.ts';

/** An object and its position, as in error texts. */
export interface Manifest {
  readonly object: KubeObject;
  readonly origin: string;
}

const MANIFEST = /\.(ya?ml|json)$/i;

/**
 * Every object of some files and folders (searched recursively), in path order; Lists are split into their items.
 * @throws Error naming file and position when a path is missing, does not parse or contains something other than
 *   objects
 */
export async function loadManifests(paths: readonly string[]): Promise<Manifest[]> {
  const files = (await Promise.all(paths.map(filesOf))).flat();
  const manifests = await Promise.all(files.map(async (file) => parseManifests(await readFile(file, 'utf8'), file)));
  return manifests.flat();
}

async function filesOf(path: string): Promise<string[]> {
  const found = await stat(path).catch((cause: unknown) => {
    throw new Error(`${path}: no such file or folder of manifests`, { cause });
  });
  if (!found.isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && MANIFEST.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/**
 * The objects of a text with YAML documents (JSON is YAML).
 * @throws Error naming `origin` and the position
 */
export function parseManifests(text: string, origin: string): Manifest[] {
  const json = parseJson(text, origin);
  if (json !== undefined) return expand(json, origin);
  const lineCounter = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter, uniqueKeys: true, version: '1.1', merge: true });
  if (!Array.isArray(documents)) return [];
  return documents.flatMap((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw new Error(`${origin}: ${error.message}`, { cause: error });
    const at = `${origin}:${lineCounter.linePos(document.contents?.range?.[0] ?? document.range[0]).line}`;
    return expand(document.toJS({ maxAliasCount: 100 }) as Json, at);
  });
}

/** JSON is parsed as such, which is many times faster than as YAML; undefined if it is not JSON. */
function parseJson(text: string, origin: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch {
    // YAML in flow style, or invalid: the YAML parser decides and reports the position.
    return undefined;
  }
  const [twice] = duplicateFields(text);
  if (twice !== undefined) throw new Error(`${origin}: ${twice} is given twice`);
  return value;
}

function expand(value: Json, origin: string): Manifest[] {
  if (value === null || value === undefined) return [];
  if (!isObject(value)) throw new Error(`${origin}: expected an object with apiVersion and kind`);
  if (typeof value['kind'] !== 'string' || typeof value['apiVersion'] !== 'string')
    throw new Error(
      `${origin}: expected an object with apiVersion and kind, found ${Object.keys(value).join(', ') || 'nothing'}`,
    );
  if (value['kind'].endsWith('List') && Array.isArray(value['items']))
    return value['items'].flatMap((item, index) => expand(item, `${origin} items[${index}]`));
  return [{ object: value as unknown as KubeObject, origin }];
}
