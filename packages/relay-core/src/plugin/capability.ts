/** What a mesh can carry of what views hold. Core strips and reports the rest, so that nothing is dropped in silence. */

import type { TrafficFieldName } from '@meshrelay/api';
import { CAPABILITY_PATHS, type ViewField } from '../fields/capabilities.ts';
import type { TrafficCapabilitiesOf } from '../fields/traffic/mod.ts';

export type { ViewField } from '../fields/capabilities.ts';

/** Every field of a view that a policy can set, in the order of the capability matrix. */
export const VIEW_FIELDS: readonly ViewField[] = Object.keys(CAPABILITY_PATHS) as ViewField[];

/**
 * How a mesh carries a field: as it is meant, in part (the note says which), or not at all (the reason says why). `always`: it does so by
 * itself and cannot do otherwise, so that there is nothing to write and nothing to tell.
 */
export type Capability =
  | 'native'
  | { readonly always: string }
  | { readonly degraded: string }
  | { readonly unsupported: string };

/** One entry for every field; the compiler refuses a table with a hole. */
export type CapabilityTable = Readonly<Record<ViewField, Capability>>;

/** The rows of a table whose names begin with a word, such as `access`: a plugin keeps them beside their translation. */
export type CapabilityRows<Group extends string> = Pick<CapabilityTable, Extract<ViewField, `${Group}.${string}`>>;

/** The rows of a table for one field of a TrafficPolicy. */
export type FieldRows<F extends TrafficFieldName> = Pick<CapabilityTable, TrafficCapabilitiesOf<F>>;

/** Why a field cannot be carried, or undefined where it can. */
export function unsupportedReason(table: CapabilityTable, field: ViewField): string | undefined {
  const capability = table[field];
  return typeof capability === 'object' && 'unsupported' in capability ? capability.unsupported : undefined;
}

/** What is lost where a field is carried in part, or undefined. */
export function degradedNote(table: CapabilityTable, field: ViewField): string | undefined {
  const capability = table[field];
  return typeof capability === 'object' && 'degraded' in capability ? capability.degraded : undefined;
}

/** Whether a mesh carries a field, at least in part. One that no plugin speaks for carries nothing. */
export function supports(table: CapabilityTable | undefined, field: ViewField): boolean {
  return table !== undefined && unsupportedReason(table, field) === undefined;
}
