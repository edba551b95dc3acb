/** The only list of mesh plugins that are built into the programs. */
import envoy from '@meshrelay/plugin-envoy';
import istio from '@meshrelay/plugin-istio';
import osm from '@meshrelay/plugin-osm';
import type { PluginSource } from '@meshrelay/relay-core';

/** In display order. */
export const BUILT_IN_PLUGINS: readonly PluginSource[] = [
  { module: '@meshrelay/plugin-istio', plugin: istio },
  { module: '@meshrelay/plugin-osm', plugin: osm },
  { module: '@meshrelay/plugin-envoy', plugin: envoy },
];
