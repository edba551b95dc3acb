/** The effect of a capability claim on generated objects. */
import type { CapabilityTable, ViewField } from '@meshrelay/plugin';

/**
 * Whether objects of the mesh support the field, at least partly. An invalid claim, which no host loads, counts as
 * unsupported.
 */
export function isSupportedBy(capabilities: CapabilityTable, field: ViewField): boolean {
  const claim: unknown = capabilities[field];
  return claim === 'native' || (typeof claim === 'object' && claim !== null && 'degraded' in claim);
}
