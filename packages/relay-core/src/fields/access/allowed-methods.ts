/** spec.allowedMethods */
import type { AccessField } from './field.ts';

export const allowedMethods: AccessField<'allowedMethods'> = {
  capabilities: { 'access.methods': 'spec.allowedMethods' },
  closed: { methods: [] },
  view: ({ allowedMethods = [] }) => ({ methods: allowedMethods }),
  requires: ({ methods }) => (methods.length > 0 ? ['access.methods'] : []),
};
