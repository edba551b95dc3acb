/** The view fields that Istio supports; each row is declared next to its translation. */
import type { CapabilityTable } from '@meshrelay/plugin';
import { ACCESS_CAPABILITIES } from './translate/access/mod.ts';
import { ACCESS_LOG_CAPABILITIES } from './translate/access-log/mod.ts';
import { MATCH_CAPABILITIES } from './translate/route/match.ts';
import { TRAFFIC_CAPABILITIES } from './translate/traffic/mod.ts';
import { VIRTUAL_DESTINATION_CAPABILITIES } from './translate/virtual-destination/fields.ts';
import { MESH_CAPABILITIES } from './translate/virtual-mesh/mod.ts';
import { WASM_CAPABILITIES } from './translate/wasm/mod.ts';

export const CAPABILITIES: CapabilityTable = {
  ...MATCH_CAPABILITIES,
  ...TRAFFIC_CAPABILITIES,
  ...ACCESS_CAPABILITIES,
  ...VIRTUAL_DESTINATION_CAPABILITIES,
  ...ACCESS_LOG_CAPABILITIES,
  ...WASM_CAPABILITIES,
  ...MESH_CAPABILITIES,
};
