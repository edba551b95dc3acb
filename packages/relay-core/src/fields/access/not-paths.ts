/** spec.notPaths */
import type { AccessField } from './field.ts';

export const notPaths: AccessField<'notPaths'> = {
  capabilities: { 'access.exclusions': 'spec.notPaths' },
  closed: { notPaths: [] },
  view: ({ notPaths = [] }) => ({ notPaths }),
  requires: ({ notPaths }) => (notPaths.length > 0 ? ['access.exclusions'] : []),
};
