/** Creates packages with a mesh plugin. */
export { CreationError, type CreationOptions, createMeshPlugin } from './create-mesh-plugin.ts';
export { nextSteps } from './next-steps.ts';
