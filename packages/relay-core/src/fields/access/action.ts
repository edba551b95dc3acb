/** spec.action */

import { type AccessAction, DEFAULT_ACCESS_ACTION } from '@meshrelay/api';
import type { AccessCapabilitiesOf } from '@meshrelay/plugin';
import type { AccessField } from './field.ts';

const CAPABILITIES: Readonly<Record<AccessAction, AccessCapabilitiesOf<'action'>>> = {
  ALLOW: 'access.allow',
  DENY: 'access.deny',
  AUDIT: 'access.audit',
};

export const action: AccessField<'action'> = {
  capabilities: { 'access.allow': 'spec.action', 'access.deny': 'spec.action', 'access.audit': 'spec.action' },
  closed: { action: 'ALLOW' },
  view: ({ action = DEFAULT_ACCESS_ACTION }) => ({ action }),
  requires: (rule) => [CAPABILITIES[rule.action]],
  remaining: () => 'none',
};
