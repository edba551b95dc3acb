// spec.action of an AccessPolicy
import type { SpecField } from '../../schema/field.ts';
import { oneOf } from '../../schema/scalar.ts';

/**
 * ALLOW admits matching requests, DENY rejects them, AUDIT logs the requests that ALLOW would reject and rejects none.
 * Default: ALLOW.
 */
export type AccessAction = 'ALLOW' | 'DENY' | 'AUDIT';

/** The action of a policy without one. */
export const DEFAULT_ACCESS_ACTION: AccessAction = 'ALLOW';

export const action: SpecField<AccessAction> = {
  schema: oneOf('ALLOW', 'DENY', 'AUDIT'),
  default: DEFAULT_ACCESS_ACTION,
  examples: ['DENY'],
};
