import { type AccessFieldSamples, narrowed } from './field.ts';

export const allowedPorts: AccessFieldSamples<'allowedPorts'> = {
  probes: { 'access.ports': narrowed({ allowedPorts: [8080] }) },
};
