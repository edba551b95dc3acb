/** `notPorts` of an operation. */
import type { AccessField } from './field.ts';

export const notPorts: AccessField<'notPorts'> = {
  capabilities: { 'access.exclusions': 'native' },
  operation: ({ notPorts }) => ({ notPorts: notPorts.map(String) }),
};
