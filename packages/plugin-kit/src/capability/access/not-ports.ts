import { type AccessFieldSamples, narrowed } from './field.ts';

export const notPorts: AccessFieldSamples<'notPorts'> = {
  probes: { 'access.exclusions': narrowed({ notPorts: [8080] }) },
};
