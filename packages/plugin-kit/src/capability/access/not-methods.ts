import { type AccessFieldSamples, narrowed } from './field.ts';

export const notMethods: AccessFieldSamples<'notMethods'> = {
  probes: { 'access.exclusions': narrowed({ notMethods: ['DELETE'] }) },
};
