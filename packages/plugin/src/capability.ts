/**
 * What a mesh supports of the fields in views. Core strips and reports the rest, so that no field is dropped silently.
 */

import type {
  AccessFieldName,
  AccessLogFieldName,
  TrafficFieldName,
  VirtualDestinationFieldName,
  VirtualMeshFieldName,
  WasmFieldName,
} from '@meshrelay/api';
import { ACCESS_FIELDS, type AccessCapabilitiesOf, type AccessCapability } from './fields/access.ts';
import {
  ACCESS_LOG_FIELDS,
  ACCESS_LOG_REQUESTS,
  type AccessLogCapabilitiesOf,
  type AccessLogCapability,
} from './fields/access-log.ts';
import { MATCH_CAPABILITIES, type MatchCapability } from './fields/match.ts';
import { TRAFFIC_FIELDS, type TrafficCapabilitiesOf, type TrafficCapability } from './fields/traffic.ts';
import {
  VIRTUAL_DESTINATION_FIELDS,
  type VirtualDestinationCapabilitiesOf,
  type VirtualDestinationCapability,
} from './fields/virtual-destination.ts';
import {
  VIRTUAL_MESH_FIELDS,
  type VirtualMeshCapabilitiesOf,
  type VirtualMeshCapability,
} from './fields/virtual-mesh.ts';
import { WASM_FIELDS, type WasmCapabilitiesOf, type WasmCapability } from './fields/wasm.ts';

/** The name of one capability. */
export type ViewField =
  | MatchCapability
  | TrafficCapability
  | AccessCapability
  | VirtualDestinationCapability
  | AccessLogCapability
  | WasmCapability
  | VirtualMeshCapability;

/** Every field of a view that a policy can set, in the order of the capability matrix. */
export const VIEW_FIELDS: readonly ViewField[] = [
  ...new Set<ViewField>([
    ...MATCH_CAPABILITIES,
    ...capabilitiesOf(TRAFFIC_FIELDS),
    ...capabilitiesOf(ACCESS_FIELDS),
    ...capabilitiesOf(VIRTUAL_DESTINATION_FIELDS),
    ACCESS_LOG_REQUESTS,
    ...capabilitiesOf(ACCESS_LOG_FIELDS),
    ...capabilitiesOf(WASM_FIELDS),
    ...capabilitiesOf(VIRTUAL_MESH_FIELDS),
  ]),
];

function capabilitiesOf<Name extends ViewField>(
  fields: Readonly<Record<string, { readonly capabilities: readonly Name[] }>>,
): readonly Name[] {
  return Object.values(fields).flatMap(({ capabilities }) => capabilities);
}

/**
 * How a mesh supports a field: as defined, in part (the note says which part), or not at all (with the reason).
 * `always`: the mesh always behaves this way, so there is nothing to write and nothing to report.
 */
export type Capability =
  | 'native'
  | { readonly always: string }
  | { readonly degraded: string }
  | { readonly unsupported: string };

/** One entry for every field; the compiler rejects an incomplete table. */
export type CapabilityTable = Readonly<Record<ViewField, Capability>>;

/**
 * A whole table from the entries of the fields that a mesh supports.
 * @param reason why the mesh supports no other field, for users
 */
export function capabilities(reason: string, supported: Partial<CapabilityTable>): CapabilityTable {
  const rows = VIEW_FIELDS.map((field) => [field, supported[field] ?? { unsupported: reason }]);
  // Names that no field has stay: loading the plugin rejects them.
  return { ...supported, ...Object.fromEntries(rows) };
}

/**
 * The rows of a table whose names begin with a word, such as `access`: a plugin keeps them next to the translation of
 * these fields.
 */
export type CapabilityRows<Group extends string> = Pick<CapabilityTable, Extract<ViewField, `${Group}.${string}`>>;

type Rows<Capability> = Pick<CapabilityTable, Extract<Capability, ViewField>>;

/** The rows of a table for one field of a TrafficPolicy. */
export type FieldRows<F extends TrafficFieldName> = Rows<TrafficCapabilitiesOf<F>>;

/** The rows of a table for one field of an AccessPolicy. */
export type AccessRows<F extends AccessFieldName> = Rows<AccessCapabilitiesOf<F>>;

/** The rows of a table for one field of a VirtualDestination. */
export type VirtualDestinationRows<F extends VirtualDestinationFieldName> = Rows<VirtualDestinationCapabilitiesOf<F>>;

/** The rows of a table for one field of an AccessLogRecord. */
export type AccessLogRows<F extends AccessLogFieldName> = Rows<AccessLogCapabilitiesOf<F>>;

/** The rows of a table for one field of a WasmDeployment. */
export type WasmRows<F extends WasmFieldName> = Rows<WasmCapabilitiesOf<F>>;

/** The rows of a table for one field of a VirtualMesh. */
export type VirtualMeshRows<F extends VirtualMeshFieldName> = Rows<VirtualMeshCapabilitiesOf<F>>;

/**
 * The rows of all fields of a table.
 * @throws Error if two fields say different things of a capability that they share
 */
export function rowsOf<Group extends string>(
  fields: Readonly<Record<string, { readonly capabilities: Readonly<Record<string, Capability>> }>>,
): CapabilityRows<Group> {
  const rows: Record<string, Capability> = {};
  for (const [field, { capabilities }] of Object.entries(fields))
    for (const [name, capability] of Object.entries(capabilities)) {
      const known = rows[name] ?? capability;
      if (JSON.stringify(known) !== JSON.stringify(capability))
        throw new Error(
          `the capability ${name} is another one at field ${field} than at a field before; make them equal`,
        );
      rows[name] = known;
    }
  return rows as CapabilityRows<Group>;
}
