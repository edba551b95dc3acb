/** Every capability that a field of a policy needs. */
import { ACCESS_CAPABILITIES, type AccessCapability } from './access/mod.ts';
import { ACCESS_LOG_CAPABILITIES, type AccessLogCapability } from './access-log/mod.ts';
import { MATCH_CAPABILITIES } from './match.ts';
import { TRAFFIC_CAPABILITIES, type TrafficCapability } from './traffic/mod.ts';
import { VIRTUAL_DESTINATION_CAPABILITIES, type VirtualDestinationCapability } from './virtual-destination/mod.ts';
import { VIRTUAL_MESH_CAPABILITIES, type VirtualMeshCapability } from './virtual-mesh/mod.ts';
import { WASM_CAPABILITIES, type WasmCapability } from './wasm/mod.ts';

/** The name of one capability. */
export type ViewField =
  | keyof typeof MATCH_CAPABILITIES
  | TrafficCapability
  | AccessCapability
  | VirtualDestinationCapability
  | AccessLogCapability
  | WasmCapability
  | VirtualMeshCapability;

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
