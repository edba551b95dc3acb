/** `notMethods` of an operation. */
import type { AccessField } from './field.ts';

export const notMethods: AccessField<'notMethods'> = {
  capabilities: { 'access.exclusions': 'native' },
  operation: ({ notMethods }) => ({ notMethods }),
};
