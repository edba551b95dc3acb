/** Plain Envoy's translation of every field of `spec` of an AccessPolicy. */

import { create, rbac } from '@meshrelay/envoy-api';
import { type AccessFieldName, type AccessRuleView, type CapabilityRows, rowsOf } from '@meshrelay/plugin';
import { action } from './action.ts';
import { allowedMethods } from './allowed-methods.ts';
import { allowedPaths } from './allowed-paths.ts';
import { allowedPorts } from './allowed-ports.ts';
import type { AccessField } from './field.ts';
import { notMethods } from './not-methods.ts';
import { notPaths } from './not-paths.ts';
import { notPorts } from './not-ports.ts';
import { anything } from './permission.ts';
import { sourceSelector } from './source-selector.ts';
import { unauthenticated } from './unauthenticated.ts';

/** One file per field; a field of the API that is missing here is a compile error. Permissions have this order. */
const ACCESS_FIELDS: { readonly [F in AccessFieldName]: AccessField<F> } = {
  action,
  sourceSelector,
  unauthenticated,
  allowedPaths,
  allowedMethods,
  allowedPorts,
  notPaths,
  notMethods,
  notPorts,
};

export const ACCESS_CAPABILITIES: CapabilityRows<'access'> = rowsOf(ACCESS_FIELDS);

const FIELDS = Object.values(ACCESS_FIELDS);

/** A port that access rules apply to. */
export interface GuardedPort {
  /** The port that the application listens on. */
  readonly number: number;
  /** Whether the proxy parses requests. If not, rules can distinguish callers, but not paths or methods. */
  readonly http: boolean;
  /** Whether requests are rejected by default, even without any rule. */
  readonly closed: boolean;
}

/**
 * The requests that a rule matches on a port; undefined if the rule does not apply to the port. Without HTTP, an ALLOW
 * for some requests allows nothing, and a DENY for some requests denies all.
 */
export function permissionOn(
  rule: AccessRuleView,
  { number, http }: Pick<GuardedPort, 'number' | 'http'>,
): rbac.Permission | undefined {
  if (!FIELDS.every((field) => field.isForPort?.(rule, number) ?? true)) return undefined;
  const rules = FIELDS.flatMap((field) => field.permissions?.(rule) ?? []);
  if (rules.length === 0) return anything();
  if (http) return create(rbac.PermissionSchema, { rule: { case: 'andRules', value: { rules } } });
  return rule.action === 'DENY' ? anything() : undefined;
}
