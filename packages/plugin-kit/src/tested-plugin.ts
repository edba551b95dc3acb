/** A plugin as the kit takes it: with what is needed to set its mesh up. */
import { type LoadedPlugin, loadPlugins, type MeshPlugin } from '@meshrelay/relay-core';
import type { MeshFixture } from './fleet/mesh-fixture.ts';

/** What an author hands over. */
export interface TestedPlugin {
  /** The default export of the plugin's module. */
  readonly plugin: MeshPlugin;
  readonly fixture: MeshFixture;
  /** Settings as a host's configuration would have them; omitted: none. */
  readonly settings?: unknown;
}

/** The plugin as a host loads it. @throws Error naming what is wrong with it or with its settings */
export function loaded({ plugin, settings }: Pick<TestedPlugin, 'plugin' | 'settings'>): readonly LoadedPlugin[] {
  return loadPlugins([{ module: plugin.name, plugin, ...(settings === undefined ? {} : { settings }) }]);
}
