/** Process-level code that all Meshrelay programs share: configuration, plugins, graceful shutdown. */
export {
  CLUSTER_FIELDS,
  type ElectionConfig,
  electionConfig,
  type KubernetesConfig,
  kubernetesConfig,
} from './cluster-config.ts';
export { type ConfigSources, loadConfig, variableOf } from './config.ts';
export { ConfigError, HelpRequested } from './config-error.ts';
export { type ErrorDetails, errorDetails, errorMessage } from './error-details.ts';
export { importPlugins } from './import-plugins.ts';
export { hostPort, type ListenAddress, listenAddress } from './listen.ts';
export { type PluginConfig, pluginConfigs } from './plugin-configs.ts';
export { runProgram } from './program.ts';
export { PluginWatchdog, type PluginWatchdogOptions } from './watchdog/plugin-watchdog.ts';
