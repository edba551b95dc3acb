/** `methods` of an operation. */
import type { AccessField } from './field.ts';

export const allowedMethods: AccessField<'allowedMethods'> = {
  capabilities: { 'access.methods': 'native' },
  operation: ({ methods }) => ({ methods }),
};
