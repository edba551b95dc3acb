/** A mesh plugin that must not be called again in this process. */
import type { MeshPlugin } from '@meshrelay/plugin';
import type { LoadedPlugin } from './registry.ts';

const TRANSLATIONS = [
  'translateDestination',
  'translateFederatedDestination',
  'translateEndpoints',
  'translateVirtualDestination',
  'translateMesh',
  'translateLocalEndpoints',
  'translateWorkload',
  'translateWorkloadExtensions',
  'translateMeshExtensions',
  'assemble',
] as const satisfies ReadonlyArray<keyof MeshPlugin>;

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
  const translations = TRANSLATIONS.filter((each) => plugin[each] !== undefined).map((each) => [each, fail]);
  return {
    plugin: {
      ...{ name, contract, watches, writes, capabilities },
      ...Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined)),
      ...Object.fromEntries(translations),
      discover: fail,
    },
    settings,
    quarantined: reason,
  };
}
