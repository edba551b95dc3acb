// The CRDs of Meshrelay's kinds. A separate module, since only installers need them.
export type { CrdVersion, CustomResourceDefinition, StructuralSchema } from './custom-resource-definition.ts';
export { crds } from './custom-resource-definitions.ts';
