/** OSM has no virtual destinations. */
import {
  type CapabilityRows,
  rowsOf,
  type VirtualDestinationFieldName,
  type VirtualDestinationRows,
} from '@meshrelay/plugin';
import { ONE_CLUSTER } from './unsupported.ts';

/** A field of the API that is missing here is a compile error. */
const ROWS: { readonly [F in VirtualDestinationFieldName]: { readonly capabilities: VirtualDestinationRows<F> } } = {
  hostname: { capabilities: { 'virtualDestination.sameHostname': ONE_CLUSTER } },
  static: { capabilities: { 'virtualDestination.static': ONE_CLUSTER } },
  localized: {
    capabilities: {
      'virtualDestination.localized': ONE_CLUSTER,
      'virtualDestination.localized.directives': ONE_CLUSTER,
    },
  },
  port: { capabilities: {} },
  virtualMesh: { capabilities: {} },
  meshList: { capabilities: {} },
};

export const VIRTUAL_DESTINATION_CAPABILITIES: CapabilityRows<'virtualDestination'> = rowsOf(ROWS);
