/** A plugin under test, with the fixture that installs its mesh. */
import type { MeshPlugin } from '@meshrelay/plugin';
import { type LoadedPlugin, loadPlugins } from '@meshrelay/relay-core';
import type { MeshFixture } from './fleet/mesh-fixture.ts';

/** Input of a plugin's author. */
export interface TestedPlugin {
  /** The default export of the plugin's module. */
  readonly plugin: MeshPlugin;
  readonly fixture: MeshFixture;
  /** Settings as in a host's configuration; omitted: none. */
  readonly settings?: unknown;
}

/**
 * The plugin as a host loads it.
 * @throws Error naming an error of the plugin or of its settings
 */
export function loaded({ plugin, settings }: Pick<TestedPlugin, 'plugin' | 'settings'>): readonly LoadedPlugin[] {
  return loadPlugins([{ module: plugin.name, plugin, ...(settings === undefined ? {} : { settings }) }]);
}
