/** The kit's samples for one field of `spec` of a VirtualMesh. */
import type { VirtualMeshFieldName } from '@meshrelay/api';
import type { VirtualMeshCapabilitiesOf } from '@meshrelay/plugin';
import { type Probe, virtualMesh } from '../probe.ts';

/** A field in its own file. */
export interface VirtualMeshFieldSamples<F extends VirtualMeshFieldName> {
  /** A probe for each capability. */
  readonly probes: Readonly<Record<VirtualMeshCapabilitiesOf<F>, Probe>>;
}

/** A virtual mesh with these fields, compared with one with other fields. */
export function also(spec: Readonly<Record<string, unknown>>, without: Readonly<Record<string, unknown>> = {}): Probe {
  return { asks: [virtualMesh(spec)], without: [virtualMesh(without)] };
}
