/** The rows of every field of `spec` of a VirtualDestination. */
import {
  type CapabilityRows,
  rowsOf,
  type VirtualDestinationFieldName,
  type VirtualDestinationRows,
} from '@meshrelay/plugin';
import { LOCALIZED } from './directives.ts';
import { STATIC } from './order.ts';
import { HOSTNAME } from './service-entries.ts';

/** Next to the translation of each field; a field of the API that is missing here is a compile error. */
const ROWS: { readonly [F in VirtualDestinationFieldName]: { readonly capabilities: VirtualDestinationRows<F> } } = {
  hostname: { capabilities: HOSTNAME },
  static: { capabilities: STATIC },
  localized: { capabilities: LOCALIZED },
  // Every mesh with virtual destinations supports ports, and core finds the meshes that get the name.
  port: { capabilities: {} },
  virtualMesh: { capabilities: {} },
  meshList: { capabilities: {} },
};

export const VIRTUAL_DESTINATION_CAPABILITIES: CapabilityRows<'virtualDestination'> = rowsOf(ROWS);
