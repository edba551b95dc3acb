import { type AccessFieldSamples, narrowed } from './field.ts';

export const allowedMethods: AccessFieldSamples<'allowedMethods'> = {
  probes: { 'access.methods': narrowed({ allowedMethods: ['GET'] }) },
};
