/** Loads mesh plugins: those in the configuration, or the built-in ones. */
import { type LoadedPlugin, loadPlugins, type PluginSource } from '@meshrelay/relay-core';
import { BUILT_IN_PLUGINS } from './built-in-plugins.ts';
import { ConfigError } from './config-error.ts';
import type { PluginConfig } from './plugin-configs.ts';

/**
 * Imports and checks plugins; without a list, the built-in ones. A program contains the built-in ones, so they need not
 * be installed. Any other package is searched for in the node_modules of the folders above the program.
 * @throws ConfigError naming the module
 */
export async function importPlugins(configs: readonly PluginConfig[] | undefined): Promise<readonly LoadedPlugin[]> {
  try {
    return loadPlugins(configs === undefined ? BUILT_IN_PLUGINS : await Promise.all(configs.map(importPlugin)));
  } catch (cause) {
    throw cause instanceof ConfigError
      ? cause
      : new ConfigError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

async function importPlugin({ module, settings }: PluginConfig): Promise<PluginSource> {
  const builtIn = BUILT_IN_PLUGINS.find((each) => each.module === module);
  if (builtIn !== undefined) return { ...builtIn, ...(settings === undefined ? {} : { settings }) };
  try {
    const { default: plugin } = (await import(module)) as { default?: unknown };
    return { module, plugin, ...(settings === undefined ? {} : { settings }) };
  } catch (cause) {
    throw new ConfigError(
      `plugins: ${module} cannot be imported: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}
