/** The kit's samples for one field of `spec` of a VirtualDestination. */
import type { VirtualDestinationFieldName } from '@meshrelay/api';
import type { VirtualDestinationCapabilitiesOf } from '@meshrelay/plugin';
import type { PolicySpec } from '../../fleet/policy-object.ts';
import { type Probe, virtualMesh } from '../probe.ts';

/** A field in its own file. */
export interface VirtualDestinationFieldSamples<F extends VirtualDestinationFieldName> {
  /** A probe for each capability. */
  readonly probes: Readonly<Record<VirtualDestinationCapabilitiesOf<F>, Probe>>;
}

/** The virtual mesh whose members can use the virtual destination. */
export const MEMBERS: PolicySpec = virtualMesh({});
