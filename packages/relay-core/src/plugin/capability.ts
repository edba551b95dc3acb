/**
 * What a mesh supports of the fields in views. Core strips and reports the rest, so that no field is dropped silently.
 */

import type { TrafficFieldName } from '@meshrelay/api';
import { CAPABILITY_PATHS, type ViewField } from '../fields/capabilities.ts';
import type { TrafficCapabilitiesOf } from '../fields/traffic/mod.ts';

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

/** The rows of a table for one field of a TrafficPolicy. */
export type FieldRows<F extends TrafficFieldName> = Pick<CapabilityTable, TrafficCapabilitiesOf<F>>;

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
