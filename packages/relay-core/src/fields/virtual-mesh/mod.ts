/** Every field of `spec` of a VirtualMesh, as core sees it. */
import type { VirtualMeshFieldName, VirtualMeshSpec } from '@meshrelay/api';
import type { VirtualMeshParts } from '@meshrelay/plugin';
import type { VirtualMeshCapability } from '@meshrelay/plugin/host';
import { capabilityPaths } from '../table.ts';
import { federation } from './federation.ts';
import type { FederatedMeshParts, FieldEffect, VirtualMeshContext, VirtualMeshField } from './field.ts';
import { globalAccessPolicy } from './global-access-policy.ts';
import { meshes } from './meshes.ts';
import { mtlsConfig } from './mtls-config.ts';

/** One file for each; an API field that is missing here is a compile error. The order is that of the capability matrix. */
const VIRTUAL_MESH_FIELD_VIEWS: { readonly [F in VirtualMeshFieldName]: VirtualMeshField<F> } = {
  federation,
  globalAccessPolicy,
  mtlsConfig,
  meshes,
};

/** Each capability with the path in the policy that reports name. */
export const VIRTUAL_MESH_CAPABILITIES: Readonly<Record<VirtualMeshCapability, string>> =
  capabilityPaths(VIRTUAL_MESH_FIELD_VIEWS);

/** Any one of them. */
type AnyVirtualMeshField = Pick<VirtualMeshField<VirtualMeshFieldName>, 'view' | 'reduce' | 'effects'>;

const FIELDS: readonly AnyVirtualMeshField[] = Object.values(VIRTUAL_MESH_FIELD_VIEWS);

/** The members of the view of a mesh that its virtual mesh sets. */
export function virtualMeshParts(spec: VirtualMeshSpec, context: VirtualMeshContext): VirtualMeshParts {
  return Object.assign({}, ...FIELDS.map((field) => field.view?.(spec, context)));
}

/** The view without what a mesh does not support. */
export function reducedMesh<View extends FederatedMeshParts>(
  view: View,
  supports: (capability: VirtualMeshCapability) => boolean,
): View {
  return FIELDS.reduce((reduced, field) => field.reduce?.(reduced, supports) ?? reduced, view);
}

/** What `explain` shows of the fields that change the view of a mesh. */
export function virtualMeshEffects(view: VirtualMeshParts): readonly FieldEffect[] {
  return FIELDS.flatMap((field) => field.effects(view));
}
