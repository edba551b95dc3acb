/** Names in a plugin that the contract does not define: a member or capability that is misspelt would have no effect. */
import { nearest } from '@meshrelay/api';
import { type MeshPlugin, VIEW_FIELDS } from '@meshrelay/plugin';

/** Every member; the compiler rejects an incomplete list. */
const MEMBERS: Readonly<Record<keyof MeshPlugin, true>> = {
  name: true,
  contract: true,
  watches: true,
  writes: true,
  reads: true,
  callerTrust: true,
  inboundRules: true,
  concernsMesh: true,
  patches: true,
  capabilities: true,
  settings: true,
  gatewayDefaults: true,
  configuresProxies: true,
  servicesWithoutPods: true,
  controlPlane: true,
  member: true,
  discover: true,
  translateDestination: true,
  translateFederatedDestination: true,
  translateEndpoints: true,
  translateVirtualDestination: true,
  translateMesh: true,
  translateLocalEndpoints: true,
  translateWorkload: true,
  translateWorkloadExtensions: true,
  translateMeshExtensions: true,
  objectConflicts: true,
  assemble: true,
};

export const PLUGIN_MEMBERS = Object.keys(MEMBERS) as ReadonlyArray<keyof MeshPlugin>;

/** A sentence for each member of the plugin that is not one of the contract. */
export function unknownMembers(plugin: object): readonly string[] {
  return unknownNames('a member of mesh plugins', Object.keys(plugin), PLUGIN_MEMBERS);
}

/** A sentence for each row of a capability table that is not a capability. */
export function unknownCapabilities(table: object): readonly string[] {
  return unknownNames('a capability', Object.keys(table), VIEW_FIELDS);
}

function unknownNames(what: string, given: readonly string[], known: readonly string[]): readonly string[] {
  const isKnown = new Set(known);
  return given
    .filter((name) => !isKnown.has(name))
    .map((name) => {
      const meant = nearest(name, known);
      return `${name} is not ${what}${meant === undefined ? ', remove it' : `; did you mean ${meant}?`}`;
    });
}
