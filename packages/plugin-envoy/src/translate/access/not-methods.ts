/** A negated permission. */
import type { AccessField } from './field.ts';
import { method, noneOf } from './permission.ts';

export const notMethods: AccessField<'notMethods'> = {
  capabilities: { 'access.exclusions': 'native' },
  permissions: (rule) => noneOf(rule.notMethods.map(method)),
};
