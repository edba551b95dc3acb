import { type AccessFieldSamples, narrowed } from './field.ts';

export const allowedPaths: AccessFieldSamples<'allowedPaths'> = {
  probes: { 'access.paths': narrowed({ allowedPaths: ['/books*'] }) },
};
