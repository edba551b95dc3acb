/** spec.allowedPaths */
import type { AccessField } from './field.ts';

export interface PathsView {
  /** `/exact`, `/prefix*`, `*suffix`; empty: any. */
  readonly paths: readonly string[];
}

export const allowedPaths: AccessField<PathsView, 'access.paths'> = {
  capabilities: { 'access.paths': 'spec.allowedPaths' },
  closed: { paths: [] },
  view: ({ allowedPaths = [] }) => ({ paths: allowedPaths }),
  requires: ({ paths }) => (paths.length > 0 ? ['access.paths'] : []),
};
