/** The mesh plugins that come with the programs: the one list of them. */
import envoy from '@meshrelay/plugin-envoy';
import istio from '@meshrelay/plugin-istio';
import osm from '@meshrelay/plugin-osm';
import type { PluginSource } from '@meshrelay/relay-core';

/** In the order in which they are shown. */
export const BUILT_IN_PLUGINS: readonly PluginSource[] = [
  { module: '@meshrelay/plugin-istio', plugin: istio },
  { module: '@meshrelay/plugin-osm', plugin: osm },
  { module: '@meshrelay/plugin-envoy', plugin: envoy },
];
