/** spec.allowedMethods */
import type { AccessField } from './field.ts';
import { equality, remainingItems } from './remaining.ts';

export const allowedMethods: AccessField<'allowedMethods'> = {
  capabilities: { 'access.methods': 'spec.allowedMethods' },
  closed: { methods: [] },
  view: ({ allowedMethods = [] }) => ({ methods: allowedMethods }),
  requires: ({ methods }) => (methods.length > 0 ? ['access.methods'] : []),
  remaining: (allow, deny) => {
    const methods = remainingItems(allow.methods, deny.methods, equality);
    return typeof methods === 'string' ? methods : { methods };
  },
  readsRequests: ({ methods }) => methods.length > 0,
};
