/** Whether agents serve the configuration of the Envoys in a plugin's mesh. */
import { definitionOf } from '@meshrelay/api';
import type { LoadedPlugin } from '@meshrelay/relay-core';

const { group: GROUP, plural: PLURAL } = definitionOf('XdsConfig');

export function configuresEnvoys({ plugin }: LoadedPlugin): boolean {
  return plugin.writes.some(({ group, plural }) => group === GROUP && plural === PLURAL);
}
