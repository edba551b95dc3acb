import { type AccessFieldSamples, narrowed } from './field.ts';

export const unauthenticated: AccessFieldSamples<'unauthenticated'> = {
  probes: { 'access.unauthenticated': narrowed({ sourceSelector: [], unauthenticated: true }, { sourceSelector: [] }) },
};
