/** spec.allowedPorts */
import type { AccessField } from './field.ts';

export const allowedPorts: AccessField<'allowedPorts'> = {
  capabilities: { 'access.ports': 'spec.allowedPorts' },
  closed: { ports: [] },
  view: ({ allowedPorts = [] }) => ({ ports: allowedPorts }),
  requires: ({ ports }) => (ports.length > 0 ? ['access.ports'] : []),
};
