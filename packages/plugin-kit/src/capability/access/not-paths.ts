import { type AccessFieldSamples, narrowed } from './field.ts';

export const notPaths: AccessFieldSamples<'notPaths'> = {
  probes: { 'access.exclusions': narrowed({ notPaths: ['/books/secret'] }) },
};
