/** spec.action */
import { type AccessAction, DEFAULT_ACCESS_ACTION } from '@meshrelay/api';
import type { AccessField } from './field.ts';

export interface ActionView {
  readonly action: AccessAction;
}

type ActionCapability = 'access.allow' | 'access.deny' | 'access.audit';

const CAPABILITIES: Readonly<Record<AccessAction, ActionCapability>> = {
  ALLOW: 'access.allow',
  DENY: 'access.deny',
  AUDIT: 'access.audit',
};

export const action: AccessField<ActionView, ActionCapability> = {
  capabilities: { 'access.allow': 'spec.action', 'access.deny': 'spec.action', 'access.audit': 'spec.action' },
  closed: { action: 'ALLOW' },
  view: ({ action = DEFAULT_ACCESS_ACTION }) => ({ action }),
  requires: (rule) => [CAPABILITIES[rule.action]],
  remaining: () => 'none',
};
