/** `ports` of an operation. */
import type { AccessField } from './field.ts';

export const allowedPorts: AccessField<'allowedPorts'> = {
  capabilities: { 'access.ports': 'native' },
  operation: ({ ports }) => ({ ports: ports.map(String) }),
};
