/** What the capability table of a mesh says of one field. */
import type { CapabilityTable, ViewField } from '@meshrelay/plugin';

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
