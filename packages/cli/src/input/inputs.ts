/** Reads the input of the offline commands. */

import process from 'node:process';
import type { KubeObject } from '@meshrelay/api';
import { type ClusterObjects, CORE_WATCHES, kindsReported, type LoadedPlugin } from '@meshrelay/relay-core';
import { plain } from '../output/plain.ts';
import { InputError, inputError } from '../problem.ts';
import { readClusterArguments } from './clusters.ts';
import { readObjects } from './read-objects.ts';
import { settingsProblems } from './settings.ts';

/** The clusters of `--cluster NAME=PATH` (or another option), with the objects that discovery and translation read. */
export function readClusters(
  values: readonly string[],
  plugins: readonly LoadedPlugin[],
  option = '--cluster',
): ClusterObjects[] {
  const kinds = [...CORE_WATCHES, ...plugins.flatMap(({ plugin }) => [...plugin.watches, ...kindsReported(plugin)])];
  return readClusterArguments(values, option).map(({ name, path }) => ({ name, objects: readObjects([path], kinds) }));
}

export interface ManagementArguments {
  readonly config: readonly string[];
  readonly settings?: string;
  readonly ledger?: string;
}

export interface ManagementReading {
  readonly settingsOption?: string;
  /** False for files that were read before: their unused files have already been reported. */
  readonly prints?: boolean;
}

/**
 * The objects of the management cluster. Prints to stderr the files of `--config` without any used object.
 * @throws InputError if `--settings` or `--ledger` contains another kind, or if Settings are repeated or would have no
 * effect
 */
export function readManagement(
  { config, settings, ledger }: ManagementArguments,
  plugins: readonly LoadedPlugin[],
  { settingsOption = '--settings', prints = true }: ManagementReading = {},
): KubeObject[] {
  const paths = [...config, settings, ledger].filter((path) => path !== undefined);
  if (paths.length === 0) return [];
  const objects = readObjects(paths, [], (path) => {
    if (prints && config.includes(path)) process.stderr.write(`${plain(path)}: skipped: it has no Meshrelay object\n`);
  });
  if (settings !== undefined) onlyKind(settingsOption, settings, 'Settings');
  if (ledger !== undefined) onlyKind('--ledger', ledger, 'Ledger');
  const found = objects.filter(({ kind }) => kind === 'Settings');
  const given = found.map(({ metadata }) => metadata.name);
  if (given.length > 1) {
    throw new InputError(
      `an installation has one Settings object, and ${given.length} were given (${given.join(', ')}); remove all but one`,
    );
  }
  const problems = found.flatMap((one) => settingsProblems(one, plugins));
  if (problems.length > 0) throw inputError(problems);
  return objects;
}

function onlyKind(option: string, path: string, kind: string): void {
  const objects = readObjects([path], []);
  const other = objects.find((object) => object.kind !== kind);
  if (other !== undefined)
    throw new InputError(`${option} ${path}: expected ${kind} objects, found a ${other.kind}; give it by --config`);
  if (objects.length === 0) throw new InputError(`${option} ${path}: expected ${kind} objects, found none`);
}
