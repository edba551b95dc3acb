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
import type { AccessCapabilitiesOf } from '../fields/access/mod.ts';
import type { AccessLogCapabilitiesOf } from '../fields/access-log/mod.ts';
import { CAPABILITY_PATHS, type ViewField } from '../fields/capabilities.ts';
import type { TrafficCapabilitiesOf } from '../fields/traffic/mod.ts';
import type { VirtualDestinationCapabilitiesOf } from '../fields/virtual-destination/mod.ts';
import type { VirtualMeshCapabilitiesOf } from '../fields/virtual-mesh/mod.ts';
import type { WasmCapabilitiesOf } from '../fields/wasm/mod.ts';

export { CAPABILITY_PATHS, type ViewField } from '../fields/capabilities.ts';

/** Every field of a view that a policy can set, in the order of the capability matrix. */
export const VIEW_FIELDS: readonly ViewField[] = Object.keys(CAPABILITY_PATHS) as ViewField[];

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

/** Why a field is not supported, or undefined if it is. */
export function unsupportedReason(table: CapabilityTable, field: ViewField): string | undefined {
  const capability = table[field];
  return typeof capability === 'object' && 'unsupported' in capability ? capability.unsupported : undefined;
}

/** What is lost if a field is supported in part, or undefined. */
export function degradedNote(table: CapabilityTable, field: ViewField): string | undefined {
  const capability = table[field];
  return typeof capability === 'object' && 'degraded' in capability ? capability.degraded : undefined;
}

/** Whether a mesh supports a field, at least in part. A mesh type without a plugin supports none. */
export function supports(table: CapabilityTable | undefined, field: ViewField): boolean {
  return table !== undefined && unsupportedReason(table, field) === undefined;
}
