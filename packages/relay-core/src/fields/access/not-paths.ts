/** spec.notPaths */
import type { AccessField } from './field.ts';
import { remainingOfExclusions } from './remaining.ts';

export interface NotPathsView {
  /** Written like `paths`. */
  readonly notPaths: readonly string[];
}

export const notPaths: AccessField<NotPathsView, 'access.exclusions'> = {
  capabilities: { 'access.exclusions': 'spec.notPaths' },
  closed: { notPaths: [] },
  view: ({ notPaths = [] }) => ({ notPaths }),
  requires: ({ notPaths }) => (notPaths.length > 0 ? ['access.exclusions'] : []),
  remaining: (_allow, deny) => remainingOfExclusions(deny.notPaths),
  readsRequests: ({ notPaths }) => notPaths.length > 0,
};
