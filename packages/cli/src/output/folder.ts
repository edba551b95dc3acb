/** Writes the folder of `translate --out`: one file for each object of each cluster. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, type Stats, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { type DesiredObject, groupOf } from '@meshrelay/relay-core';
import { InputError } from '../problem.ts';
import { type DataFormat, format } from './format.ts';

/** Valid characters of a file name: those of Kubernetes names, without path separators. */
const SAFE = /^[a-zA-Z0-9][a-zA-Z0-9._:-]*$/;

/** A file with plain text, such as a log. */
function isText(name: string, value: unknown): value is string {
  return typeof value === 'string' && /\.(txt|log)$/.test(name);
}

/** `<cluster>/<kind>.<group>.<namespace>.<name>.<ending>` */
export function fileName({ cluster, object }: DesiredObject, as: DataFormat): string {
  const { name, namespace = '' } = object.metadata;
  const parts = [object.kind.toLowerCase(), groupOf(object.apiVersion), namespace, name].filter((part) => part !== '');
  for (const part of [cluster, ...parts]) {
    if (!SAFE.test(part))
      throw new InputError(
        `${object.kind} ${namespace}/${name} of cluster ${cluster}: "${part}" cannot be part of a file name`,
      );
  }
  return join(cluster, `${parts.join('.')}.${as}`);
}

/** @throws InputError if the path is a file, or a folder that is not empty */
export function refuseUsedFolder(folder: string): void {
  const target = resolve(folder);
  const found = statOf(folder, target);
  if (found === undefined) return;
  if (!found.isDirectory()) throw new InputError(`--out ${folder}: it is a file; give a new folder`);
  if (readdirSync(target).length > 0) {
    throw new InputError(`--out ${folder}: the folder is not empty; give a new one, or empty it`);
  }
}

/**
 * Undefined if the path does not exist.
 * @throws InputError for an invalid path
 */
function statOf(folder: string, target: string): Stats | undefined {
  try {
    return statSync(target, { throwIfNoEntry: false });
  } catch (cause) {
    throw new InputError(`--out ${folder}: ${(cause as Error).message}; give a new folder`, { cause });
  }
}

/**
 * Writes the folder atomically: first next to its path, then renames it. The folder must be new or empty.
 * @throws InputError if it is not empty
 */
export function writeFolder(folder: string, files: ReadonlyMap<string, unknown>, as: DataFormat): void {
  refuseUsedFolder(folder);
  const target = resolve(folder);
  const draft = `${target}.meshctl-${process.pid}`;
  try {
    mkdirSync(draft, { recursive: true });
    for (const [name, value] of files) {
      const path = join(draft, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, isText(name, value) ? value : format(value, name.endsWith('.json') ? 'json' : as));
    }
    if (existsSync(target)) rmSync(target, { recursive: true });
    renameSync(draft, target);
  } catch (cause) {
    rmSync(draft, { recursive: true, force: true });
    throw new InputError(`--out ${folder}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
