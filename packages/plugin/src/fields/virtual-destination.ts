/** Every field of `spec` of a VirtualDestination, as plugins see it. */
import type { VirtualDestinationFieldName } from '@meshrelay/api';

/** The capabilities of each field. The order is that of reports. */
export const VIRTUAL_DESTINATION_FIELDS = {
  static: { capabilities: ['virtualDestination.static'] },
  localized: { capabilities: ['virtualDestination.localized', 'virtualDestination.localized.directives'] },
  hostname: { capabilities: ['virtualDestination.sameHostname'] },
  port: { capabilities: [] },
  virtualMesh: { capabilities: [] },
  meshList: { capabilities: [] },
} as const;

/** The capabilities of a field. */
export type VirtualDestinationCapabilitiesOf<F extends VirtualDestinationFieldName> =
  (typeof VIRTUAL_DESTINATION_FIELDS)[F]['capabilities'][number];

/** Capabilities of these fields. */
export type VirtualDestinationCapability = VirtualDestinationCapabilitiesOf<VirtualDestinationFieldName>;
