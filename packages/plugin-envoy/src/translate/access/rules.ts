/** The callers that a port admits, as rules of RBAC filters. AUDIT becomes an ALLOW in shadow mode. */
import { create, rbac } from '@meshrelay/envoy-api';
import type { AccessRuleView } from '@meshrelay/plugin';
import { type GuardedPort, permissionOn } from './mod.ts';
import { principalsOf } from './source-selector.ts';

/** The RBAC configurations of a port. */
export interface AccessFilters {
  /** Requests that are always rejected; undefined: none. */
  readonly deny?: rbac.RBAC;
  /** The only admitted requests; undefined: all. */
  readonly allow?: rbac.RBAC;
  /** The requests that would be admitted, evaluated in shadow mode. */
  readonly audit?: rbac.RBAC;
}

/** An ALLOW without an applicable rule rejects all callers, as intended. */
export function accessFilters(rules: readonly AccessRuleView[], port: GuardedPort): AccessFilters {
  const of = (action: AccessRuleView['action']) => rules.filter((rule) => rule.action === action);
  const [denies, allows, audits] = [of('DENY'), of('ALLOW'), of('AUDIT')];
  const deny = policiesOf(denies, port);
  return {
    ...(Object.keys(deny).length === 0 ? {} : { deny: filterRules(rbac.RBAC_Action.DENY, deny) }),
    ...(allows.length === 0 && !port.closed
      ? {}
      : { allow: filterRules(rbac.RBAC_Action.ALLOW, policiesOf(allows, port)) }),
    ...(audits.length === 0 ? {} : { audit: filterRules(rbac.RBAC_Action.ALLOW, policiesOf(audits, port)) }),
  };
}

function filterRules(action: rbac.RBAC_Action, policies: Record<string, rbac.Policy>): rbac.RBAC {
  return create(rbac.RBACSchema, { action, policies });
}

/** The names identify the source policy in statistics and logs. */
function policiesOf(rules: readonly AccessRuleView[], port: GuardedPort): Record<string, rbac.Policy> {
  const policies = rules.flatMap((rule, index) => {
    const principals = principalsOf(rule.sources);
    const permission = permissionOn(rule, port);
    if (principals.length === 0 || permission === undefined) return [];
    return [[nameOf(rule, index), create(rbac.PolicySchema, { permissions: [permission], principals })] as const];
  });
  return Object.fromEntries(policies.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function nameOf({ from: [policy], ports }: AccessRuleView, index: number): string {
  const place = String(index).padStart(3, '0');
  const whose = policy === undefined ? place : `${place} ${policy.kind} ${policy.namespace}/${policy.name}`;
  return ports.length === 0 ? whose : `${whose} on ${ports.join(',')}`;
}
