/** RBAC filters. AUDIT becomes an ALLOW in shadow mode. */
import type { AccessField } from './field.ts';

/** rules.ts has the filters of each action. */
export const action: AccessField<'action'> = {
  capabilities: { 'access.allow': 'native', 'access.deny': 'native', 'access.audit': 'native' },
};
