/** spec.action */
import type { AccessAction } from '@meshrelay/api';
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
  requires: (rule) => [CAPABILITIES[rule.action]],
};
