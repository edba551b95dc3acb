/** The meshes of each VirtualMesh. */
export { type ConfiguredMesh, type ConfiguredMeshes, configuredMeshes, describedTypes } from './configured-meshes.ts';
export { type Federates, federatingTypes } from './federating.ts';
export { indexMembers, type Members } from './members.ts';
export {
  type CheckedVirtualMesh,
  membersOf,
  refKey,
  resolveVirtualMeshes,
  type VirtualMeshes,
  wrongNamespace,
} from './virtual-meshes.ts';
