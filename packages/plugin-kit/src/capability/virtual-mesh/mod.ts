/** The kit's samples for every field of `spec` of a VirtualMesh. */
import type { VirtualMeshFieldName } from '@meshrelay/api';
import { type GroupProbes, probesOf } from '../probe.ts';
import { federation } from './federation.ts';
import type { VirtualMeshFieldSamples } from './field.ts';
import { globalAccessPolicy } from './global-access-policy.ts';
import { mtlsConfig } from './mtls-config.ts';

/** One file per field with a capability; a field of the API that is missing here is a compile error. */
const SAMPLES: { readonly [F in VirtualMeshFieldName]: VirtualMeshFieldSamples<F> } = {
  federation,
  globalAccessPolicy,
  mtlsConfig,
  meshes: { probes: {} },
};

export const MESH_PROBES: GroupProbes<'mesh'> = probesOf(SAMPLES);
