/** spec.allowedPaths */
import type { AccessField } from './field.ts';

export const allowedPaths: AccessField<'allowedPaths'> = {
  capabilities: { 'access.paths': 'spec.allowedPaths' },
  closed: { paths: [] },
  view: ({ allowedPaths = [] }) => ({ paths: allowedPaths }),
  requires: ({ paths }) => (paths.length > 0 ? ['access.paths'] : []),
};
