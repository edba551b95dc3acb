/** The translation of one field of `spec` of an AccessPolicy. */
import type { AccessFieldName, AccessRows, AccessRuleView } from '@meshrelay/plugin';
import type { PermissionInit } from './permission.ts';

/** A field in its own file. */
export interface AccessField<F extends AccessFieldName> {
  readonly capabilities: AccessRows<F>;
  /** Whether the rule can match anything on a port that the application listens on. */
  isForPort?(rule: AccessRuleView, port: number): boolean;
  /** Conditions on requests; all must hold. */
  permissions?(rule: AccessRuleView): readonly PermissionInit[];
}
