/** The mesh plugins of the offline commands: built-in ones, and those that the user names. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BUILT_IN_PLUGINS } from '@meshrelay/host/built-in-plugins';
import { type LoadedPlugin, loadPlugins, type PluginSource } from '@meshrelay/relay-core';
import { InputError } from '../problem.ts';

/** @throws InputError if a module cannot be loaded or is not a plugin */
export async function loadMeshPlugins(modules: readonly string[]): Promise<readonly LoadedPlugin[]> {
  const named = await Promise.all(modules.map(importPlugin));
  try {
    return loadPlugins([...BUILT_IN_PLUGINS, ...named]);
  } catch (cause) {
    throw new InputError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

async function importPlugin(module: string): Promise<PluginSource> {
  const isPath = module.startsWith('.') || module.startsWith('/');
  try {
    // Importing a device may never end.
    if (isPath && !statSync(module).isFile()) throw new Error('it is not a file');
    const loaded = (await import(isPath ? pathToFileURL(resolve(module)).href : module)) as { default?: unknown };
    return { module, plugin: loaded.default };
  } catch (cause) {
    throw new InputError(
      `--plugin ${module}: ${cause instanceof Error ? cause.message : String(cause)}; install it or give the path of its module`,
      { cause },
    );
  }
}
