/** spec.notMethods */
import type { AccessField } from './field.ts';
import { remainingOfExclusions } from './remaining.ts';

export const notMethods: AccessField<'notMethods'> = {
  capabilities: { 'access.exclusions': 'spec.notMethods' },
  closed: { notMethods: [] },
  view: ({ notMethods = [] }) => ({ notMethods }),
  requires: ({ notMethods }) => (notMethods.length > 0 ? ['access.exclusions'] : []),
  remaining: (_allow, deny) => remainingOfExclusions(deny.notMethods),
  readsRequests: ({ notMethods }) => notMethods.length > 0,
};
