/** A mesh plugin that must not be called again in this process. */
import type { LoadedPlugin } from './registry.ts';
import { PLUGIN_MEMBERS } from './unknown-names.ts';

/**
 * A plugin in place of a loaded one. Its discovery and its translations fail with the reason, so that nothing counts as
 * deleted. Nothing else of it is called. It keeps its name, kinds and capabilities.
 * @param reason a clause without a full stop, with the next action
 */
export function quarantine({ plugin, settings }: LoadedPlugin, reason: string): LoadedPlugin {
  const fail = (): never => {
    throw new Error(reason);
  };
  const { name, contract, watches, writes, reads, patches, capabilities, gatewayDefaults } = plugin;
  const { configuresProxies, servicesWithoutPods } = plugin;
  const data = { reads, patches, gatewayDefaults, configuresProxies, servicesWithoutPods };
  const isTranslation = (member: string): boolean => member.startsWith('translate') || member === 'assemble';
  const translations = PLUGIN_MEMBERS.filter((member) => isTranslation(member) && plugin[member] !== undefined);
  return {
    plugin: {
      ...{ name, contract, watches, writes, capabilities },
      ...Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined)),
      ...Object.fromEntries(translations.map((member) => [member, fail])),
      discover: fail,
    },
    settings,
    quarantined: reason,
  };
}
