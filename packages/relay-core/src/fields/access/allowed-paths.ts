/** spec.allowedPaths */
import type { AccessField } from './field.ts';
import { pathRelation } from './path-relation.ts';
import { remainingItems } from './remaining.ts';

export const allowedPaths: AccessField<'allowedPaths'> = {
  capabilities: { 'access.paths': 'spec.allowedPaths' },
  closed: { paths: [] },
  view: ({ allowedPaths = [] }) => ({ paths: allowedPaths }),
  requires: ({ paths }) => (paths.length > 0 ? ['access.paths'] : []),
  remaining: (allow, deny) => {
    const paths = remainingItems(allow.paths, deny.paths, pathRelation);
    return typeof paths === 'string' ? paths : { paths };
  },
  readsRequests: ({ paths }) => paths.length > 0,
};
