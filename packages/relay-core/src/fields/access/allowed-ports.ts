/** spec.allowedPorts */
import type { AccessField } from './field.ts';
import { equality, remainingItems } from './remaining.ts';

export const allowedPorts: AccessField<'allowedPorts'> = {
  capabilities: { 'access.ports': 'spec.allowedPorts' },
  closed: { ports: [] },
  view: ({ allowedPorts = [] }) => ({ ports: allowedPorts }),
  requires: ({ ports }) => (ports.length > 0 ? ['access.ports'] : []),
  remaining: (allow, deny) => {
    const ports = remainingItems(allow.ports, deny.ports, equality);
    return typeof ports === 'string' ? ports : { ports };
  },
  appliesToPort: ({ ports }, port) => ports.length === 0 || ports.includes(port),
};
