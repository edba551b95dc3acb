/** What a claim of a capability table means for what is written. */
import type { CapabilityTable, ViewField } from '@meshrelay/relay-core';

/** Whether objects of the mesh carry the field, if in part. A claim of a wrong form, which no host loads, is none. */
export function isSupportedBy(capabilities: CapabilityTable, field: ViewField): boolean {
  const claim: unknown = capabilities[field];
  return claim === 'native' || (typeof claim === 'object' && claim !== null && 'degraded' in claim);
}
