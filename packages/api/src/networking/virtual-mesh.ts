// VirtualMesh: meshes that trust each other and share services.
import type * as z from 'zod/mini';
import type { NETWORKING_API_VERSION } from '../group.ts';
import type { KubeObject } from '../kube/object.ts';
import { fieldsOf } from '../schema/field.ts';
import { object } from '../schema/object.ts';
import type { PolicyStatus } from '../shared/status.ts';
import { VIRTUAL_MESH_FIELDS, type VirtualMeshSpec } from './virtual-mesh/fields.ts';

/** A group of meshes. */
export interface VirtualMesh extends KubeObject<VirtualMeshSpec, PolicyStatus> {
  readonly apiVersion: typeof NETWORKING_API_VERSION;
  readonly kind: 'VirtualMesh';
}

/** Schema of {@link VirtualMeshSpec}. */
export const virtualMeshSpec: z.ZodMiniType<VirtualMeshSpec> = object<VirtualMeshSpec>(
  'VirtualMeshSpec',
  fieldsOf<VirtualMeshSpec>(VIRTUAL_MESH_FIELDS, { meshes: true }),
);
