/** A negated permission. */
import type { AccessField } from './field.ts';
import { noneOf, path } from './permission.ts';

export const notPaths: AccessField<'notPaths'> = {
  capabilities: { 'access.exclusions': 'native' },
  permissions: (rule) => noneOf(rule.notPaths.map(path)),
};
