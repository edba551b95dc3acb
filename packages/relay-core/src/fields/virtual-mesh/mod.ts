/** Every field of `spec` of a VirtualMesh, as core sees it. */
import type { VirtualMeshFieldName } from '@meshrelay/api';
import { capabilityPaths } from '../table.ts';
import { federation } from './federation.ts';
import { globalAccessPolicy } from './global-access-policy.ts';
import { meshes } from './meshes.ts';
import { mtlsConfig } from './mtls-config.ts';

interface VirtualMeshFieldViews {
  readonly federation: typeof federation;
  readonly globalAccessPolicy: typeof globalAccessPolicy;
  readonly mtlsConfig: typeof mtlsConfig;
  readonly meshes: typeof meshes;
}

/** One file for each; an API field that is missing here is a compile error. The order is that of the capability matrix. */
const VIRTUAL_MESH_FIELD_VIEWS: { readonly [F in VirtualMeshFieldName]: VirtualMeshFieldViews[F] } = {
  federation,
  globalAccessPolicy,
  mtlsConfig,
  meshes,
};

/** From the interface, so that a field that is missing in the table is an error there only. */
type Views = VirtualMeshFieldViews;

/** The capabilities of a field. */
export type VirtualMeshCapabilitiesOf<F extends VirtualMeshFieldName> = F extends keyof Views
  ? keyof Views[F]['capabilities']
  : never;

/** Capabilities of these fields. */
export type VirtualMeshCapability = {
  [F in keyof Views]: VirtualMeshCapabilitiesOf<F>;
}[keyof Views];

/** Each capability with the path in the policy that reports name. */
export const VIRTUAL_MESH_CAPABILITIES: Readonly<Record<VirtualMeshCapability, string>> =
  capabilityPaths(VIRTUAL_MESH_FIELD_VIEWS);
