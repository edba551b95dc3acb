/**
 * Meshes that reject callers of another mesh because of its trust domain, until the user consents to the patch that
 * admits them.
 */
import type { SettingsSpec } from '@meshrelay/api';
import type { Collection, MeshFacts, Read } from '@meshrelay/plugin';
import { consents } from '../../plugin/consent.ts';
import type { LoadedPlugin } from '../../plugin/registry.ts';
import { SETTINGS_KEY } from '../../store/fleet-state.ts';

/**
 * Why requests of `consumer` are rejected, and what to do; undefined if they are admitted, or will be once the patch is
 * applied.
 */
export type RejectionOf = (read: Read, mesh: MeshFacts, consumer: MeshFacts) => string | undefined;

export function rejections(settings: Collection<SettingsSpec>, plugins: readonly LoadedPlugin[]): RejectionOf {
  const byType = new Map(plugins.map(({ plugin: { name, callerTrust } }) => [name, callerTrust]));
  return (read, mesh, consumer) => {
    const { cluster, namespace, name, trustDomain, type } = mesh;
    const callerTrust = byType.get(type);
    if (trustDomain === consumer.trustDomain || callerTrust?.refuses(mesh, consumer.trustDomain) !== true)
      return undefined;
    if (consents(read.get(settings, SETTINGS_KEY), callerTrust.consent)) return undefined;
    return `mesh ${namespace}/${name} of cluster ${cluster} has the trust domain ${trustDomain} and rejects callers of ${consumer.trustDomain} (mesh ${consumer.namespace}/${consumer.name} of cluster ${consumer.cluster}); add ${consumer.trustDomain} to its trustDomainAliases, or set ${callerTrust.consent}: true in Settings so that Meshrelay adds it`;
  };
}
