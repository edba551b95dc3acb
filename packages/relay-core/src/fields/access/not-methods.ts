/** spec.notMethods */
import type { AccessField } from './field.ts';

export const notMethods: AccessField<'notMethods'> = {
  capabilities: { 'access.exclusions': 'spec.notMethods' },
  closed: { notMethods: [] },
  view: ({ notMethods = [] }) => ({ notMethods }),
  requires: ({ notMethods }) => (notMethods.length > 0 ? ['access.exclusions'] : []),
};
