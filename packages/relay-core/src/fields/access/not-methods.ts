/** spec.notMethods */
import type { AccessField } from './field.ts';

export interface NotMethodsView {
  readonly notMethods: readonly string[];
}

export const notMethods: AccessField<NotMethodsView, 'access.exclusions'> = {
  capabilities: { 'access.exclusions': 'spec.notMethods' },
  closed: { notMethods: [] },
  view: ({ notMethods = [] }) => ({ notMethods }),
  requires: ({ notMethods }) => (notMethods.length > 0 ? ['access.exclusions'] : []),
};
