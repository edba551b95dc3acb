/** Every capability that a field of a policy needs. */
import { ACCESS_CAPABILITIES } from './access.ts';
import { ACCESS_LOG_CAPABILITIES } from './access-log.ts';
import { MATCH_CAPABILITIES } from './match.ts';
import { MESH_CAPABILITIES } from './mesh.ts';
import { TRAFFIC_CAPABILITIES, type TrafficCapability } from './traffic/mod.ts';
import { VIRTUAL_DESTINATION_CAPABILITIES } from './virtual-destination.ts';
import { WASM_CAPABILITIES } from './wasm.ts';

/** The name of one capability. */
export type ViewField =
  | keyof typeof MATCH_CAPABILITIES
  | TrafficCapability
  | keyof typeof ACCESS_CAPABILITIES
  | keyof typeof VIRTUAL_DESTINATION_CAPABILITIES
  | keyof typeof ACCESS_LOG_CAPABILITIES
  | keyof typeof WASM_CAPABILITIES
  | keyof typeof MESH_CAPABILITIES;

/** Each capability with the path in the policy that reports name, in the order of the capability matrix. */
export const CAPABILITY_PATHS: Readonly<Record<ViewField, string>> = {
  ...MATCH_CAPABILITIES,
  ...TRAFFIC_CAPABILITIES,
  ...ACCESS_CAPABILITIES,
  ...VIRTUAL_DESTINATION_CAPABILITIES,
  ...ACCESS_LOG_CAPABILITIES,
  ...WASM_CAPABILITIES,
  ...MESH_CAPABILITIES,
};
