/** The Istio plugin, for the slow tests of whole fleets. */
import istio from '@meshrelay/plugin-istio';
import { type LoadedPlugin, loadPlugins } from '@meshrelay/relay-core';

export const ISTIO_PLUGINS: readonly LoadedPlugin[] = loadPlugins([{ module: 'plugin-istio', plugin: istio }]);
