/** The kit's samples for every field of `spec` of a VirtualDestination. */
import type { VirtualDestinationFieldName } from '@meshrelay/api';
import { type GroupProbes, probesOf } from '../probe.ts';
import type { VirtualDestinationFieldSamples } from './field.ts';
import { hostname } from './hostname.ts';
import { localized } from './localized.ts';
import { staticFailover } from './static.ts';

/** One file per field with a capability; a field of the API that is missing here is a compile error. */
const SAMPLES: { readonly [F in VirtualDestinationFieldName]: VirtualDestinationFieldSamples<F> } = {
  static: staticFailover,
  localized,
  hostname,
  port: { probes: {} },
  virtualMesh: { probes: {} },
  meshList: { probes: {} },
};

export const VIRTUAL_DESTINATION_PROBES: GroupProbes<'virtualDestination'> = probesOf(SAMPLES);
