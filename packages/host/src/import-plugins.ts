/** Loads mesh plugins: those in the configuration, or the built-in ones. */
import { type LoadedPlugin, loadPlugins, type PluginSource } from '@meshrelay/relay-core';
import { BUILT_IN_PLUGINS } from './built-in-plugins.ts';
import { ConfigError } from './config-error.ts';
import type { PluginConfig } from './plugin-configs.ts';
import type { PluginWatchdog } from './watchdog/plugin-watchdog.ts';

/**
 * Imports and checks plugins; without a list, the built-in ones. A program contains the built-in ones, so they need not
 * be installed. Any other package is searched for in the node_modules of the folders above the program.
 * @param watchdog watches the plugins that are not built in
 * @throws ConfigError naming the module
 */
export async function importPlugins(
  configs: readonly PluginConfig[] | undefined,
  watchdog?: PluginWatchdog,
): Promise<readonly LoadedPlugin[]> {
  try {
    const sources = configs === undefined ? BUILT_IN_PLUGINS : await importAll(configs, watchdog);
    return loadPlugins(sources).map((loaded, position) => {
      const module = sources[position]?.module ?? '';
      return watchdog === undefined || builtIn(module) !== undefined ? loaded : watchdog.guard(module, loaded);
    });
  } catch (cause) {
    throw cause instanceof ConfigError
      ? cause
      : new ConfigError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

async function importAll(
  configs: readonly PluginConfig[],
  watchdog: PluginWatchdog | undefined,
): Promise<readonly PluginSource[]> {
  const sources: PluginSource[] = [];
  for (const config of configs) sources.push(await importPlugin(config, watchdog));
  return sources;
}

async function importPlugin(
  { module, settings }: PluginConfig,
  watchdog: PluginWatchdog | undefined,
): Promise<PluginSource> {
  const known = builtIn(module);
  if (known !== undefined) return { ...known, ...(settings === undefined ? {} : { settings }) };
  try {
    const imported = watchdog === undefined ? import(module) : watchdog.import(module);
    const { default: plugin } = (await imported) as { default?: unknown };
    return { module, plugin, ...(settings === undefined ? {} : { settings }) };
  } catch (cause) {
    throw new ConfigError(
      `plugins: ${module} cannot be imported: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}

function builtIn(module: string): PluginSource | undefined {
  return BUILT_IN_PLUGINS.find((each) => each.module === module);
}
