/** spec.allowedMethods */
import type { AccessField } from './field.ts';

export interface MethodsView {
  /** Empty: any. */
  readonly methods: readonly string[];
}

export const allowedMethods: AccessField<MethodsView, 'access.methods'> = {
  capabilities: { 'access.methods': 'spec.allowedMethods' },
  closed: { methods: [] },
  view: ({ allowedMethods = [] }) => ({ methods: allowedMethods }),
  requires: ({ methods }) => (methods.length > 0 ? ['access.methods'] : []),
};
