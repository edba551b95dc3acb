// The CRDs of our kinds. Apart from the main module, since only what installs them needs them built.
export type { CrdVersion, CustomResourceDefinition, StructuralSchema } from './custom-resource-definition.ts';
export { crds } from './custom-resource-definitions.ts';
