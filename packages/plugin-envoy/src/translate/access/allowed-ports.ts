/** Each port has filters of its own. */
import type { AccessField } from './field.ts';

export const allowedPorts: AccessField<'allowedPorts'> = {
  capabilities: { 'access.ports': 'native' },
  isForPort: ({ ports }, port) => ports.length === 0 || ports.includes(port),
};
