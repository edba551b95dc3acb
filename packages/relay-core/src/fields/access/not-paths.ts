/** spec.notPaths */
import type { AccessField } from './field.ts';
import { remainingOfExclusions } from './remaining.ts';

export const notPaths: AccessField<'notPaths'> = {
  capabilities: { 'access.exclusions': 'spec.notPaths' },
  closed: { notPaths: [] },
  view: ({ notPaths = [] }) => ({ notPaths }),
  requires: ({ notPaths }) => (notPaths.length > 0 ? ['access.exclusions'] : []),
  remaining: (_allow, deny) => remainingOfExclusions(deny.notPaths),
  readsRequests: ({ notPaths }) => notPaths.length > 0,
};
