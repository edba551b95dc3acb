// The API groups and the version of all Meshrelay kinds.

/** Every Meshrelay group is this domain, or ends in a dot and this domain. */
export const GROUP_DOMAIN = 'meshrelay.dev';
/** The served version of every kind. */
export const VERSION = 'v1alpha1';

export const MULTICLUSTER_GROUP = 'multicluster.meshrelay.dev';
export const DISCOVERY_GROUP = 'discovery.meshrelay.dev';
export const NETWORKING_GROUP = 'networking.meshrelay.dev';
export const ADMIN_GROUP = 'admin.meshrelay.dev';
export const EXTENSIONS_GROUP = 'extensions.meshrelay.dev';
export const AGENT_GROUP = 'agent.meshrelay.dev';
export const CERTIFICATES_GROUP = 'certificates.meshrelay.dev';

export const MULTICLUSTER_API_VERSION = 'multicluster.meshrelay.dev/v1alpha1';
export const DISCOVERY_API_VERSION = 'discovery.meshrelay.dev/v1alpha1';
export const NETWORKING_API_VERSION = 'networking.meshrelay.dev/v1alpha1';
export const ADMIN_API_VERSION = 'admin.meshrelay.dev/v1alpha1';
export const EXTENSIONS_API_VERSION = 'extensions.meshrelay.dev/v1alpha1';
export const AGENT_API_VERSION = 'agent.meshrelay.dev/v1alpha1';
export const CERTIFICATES_API_VERSION = 'certificates.meshrelay.dev/v1alpha1';

/** True for groups of Meshrelay whose objects are outputs, like those of a mesh; users write no policies in them. */
export function isOutputGroup(group: string): boolean {
  return group === AGENT_GROUP || group === CERTIFICATES_GROUP;
}

/** True for groups of Meshrelay, with or without known kinds. */
export function isMeshrelayGroup(group: string): boolean {
  return group === GROUP_DOMAIN || group.endsWith(`.${GROUP_DOMAIN}`);
}
