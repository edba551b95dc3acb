/** Every capability that a field of a policy needs. */
import type { ViewField } from '@meshrelay/plugin';
import { ACCESS_CAPABILITIES } from './access/mod.ts';
import { ACCESS_LOG_CAPABILITIES } from './access-log/mod.ts';
import { MATCH_CAPABILITIES } from './match.ts';
import { TRAFFIC_CAPABILITIES } from './traffic/mod.ts';
import { VIRTUAL_DESTINATION_CAPABILITIES } from './virtual-destination/mod.ts';
import { VIRTUAL_MESH_CAPABILITIES } from './virtual-mesh/mod.ts';
import { WASM_CAPABILITIES } from './wasm/mod.ts';

/** Each capability with the path in the policy that reports name, in the order of the capability matrix. */
export const CAPABILITY_PATHS: Readonly<Record<ViewField, string>> = {
  ...MATCH_CAPABILITIES,
  ...TRAFFIC_CAPABILITIES,
  ...ACCESS_CAPABILITIES,
  ...VIRTUAL_DESTINATION_CAPABILITIES,
  ...ACCESS_LOG_CAPABILITIES,
  ...WASM_CAPABILITIES,
  ...VIRTUAL_MESH_CAPABILITIES,
};
