/**
 * The view fields that OSM supports; each row is declared next to its translation. If OSM supports only some values of
 * a field, the translation reports the others.
 */
import type { CapabilityTable } from '@meshrelay/plugin';
import { ACCESS_CAPABILITIES } from './translate/access/fields.ts';
import { ACCESS_LOG_CAPABILITIES } from './translate/access-log.ts';
import { MATCH_CAPABILITIES } from './translate/match.ts';
import { MESH_CAPABILITIES } from './translate/mesh.ts';
import { TRAFFIC_CAPABILITIES } from './translate/traffic/mod.ts';
import { VIRTUAL_DESTINATION_CAPABILITIES } from './translate/virtual-destination.ts';
import { WASM_CAPABILITIES } from './translate/wasm.ts';

export const CAPABILITIES: CapabilityTable = {
  ...MATCH_CAPABILITIES,
  ...TRAFFIC_CAPABILITIES,
  ...ACCESS_CAPABILITIES,
  ...VIRTUAL_DESTINATION_CAPABILITIES,
  ...ACCESS_LOG_CAPABILITIES,
  ...WASM_CAPABILITIES,
  ...MESH_CAPABILITIES,
};
