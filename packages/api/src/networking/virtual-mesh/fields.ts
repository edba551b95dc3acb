// Every field of `spec` of a VirtualMesh.
import type { FieldTable } from '../../schema/field.ts';
import { type Federation, federation } from './federation.ts';
import { type GlobalAccessPolicy, globalAccessPolicy } from './global-access-policy.ts';
import { meshes, type VirtualMeshMembers } from './meshes.ts';
import { type MtlsConfig, mtlsConfig } from './mtls-config.ts';

/** Members, trust, federation and access of the group. */
export interface VirtualMeshSpec {
  readonly meshes: VirtualMeshMembers;
  readonly mtlsConfig?: MtlsConfig;
  readonly federation?: Federation;
  readonly globalAccessPolicy?: GlobalAccessPolicy;
}

/** The name of one of them. */
export type VirtualMeshFieldName = keyof VirtualMeshSpec;

/** One file for each; a field of {@link VirtualMeshSpec} that is missing here is a compile error. */
export const VIRTUAL_MESH_FIELDS: FieldTable<VirtualMeshSpec> = {
  meshes,
  mtlsConfig,
  federation,
  globalAccessPolicy,
};
