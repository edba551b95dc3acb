/** A permission for each of the methods. */
import type { AccessField } from './field.ts';
import { method, oneOf } from './permission.ts';

export const allowedMethods: AccessField<'allowedMethods'> = {
  capabilities: { 'access.methods': 'native' },
  permissions: ({ methods }) => oneOf(methods.map(method)),
};
