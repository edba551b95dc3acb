/** Who may call a port, as the rules of RBAC filters. AUDIT is an ALLOW that is only tried out. */
import { create, rbac } from '@meshrelay/envoy-api';
import type { AccessRuleView } from '@meshrelay/relay-core';
import { anything, requestPermission } from './permissions.ts';
import { principalsOf } from './principals.ts';

/** What the filters of a port are given. */
export interface AccessFilters {
  /** What is refused whatever else is allowed; undefined: nothing. */
  readonly deny?: rbac.RBAC;
  /** What is let in, and nothing else; undefined: everything. */
  readonly allow?: rbac.RBAC;
  /** What would be let in, where it is only looked at. */
  readonly audit?: rbac.RBAC;
}

/** A port that rules are for. */
export interface GuardedPort {
  /** That the application listens on. */
  readonly number: number;
  /** Whether requests can be told apart, else only callers. */
  readonly http: boolean;
  /** Whether what no rule allows is refused even where there is no rule at all. */
  readonly closed: boolean;
}

/** Without a rule that applies, an ALLOW that is there refuses everybody, as is meant. */
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

/** By names that say in statistics and logs which policy it was. */
function policiesOf(rules: readonly AccessRuleView[], port: GuardedPort): Record<string, rbac.Policy> {
  const policies = rules.flatMap((rule, index) => {
    const principals = principalsOf(rule.sources);
    const permission = permissionOn(rule, port);
    if (principals.length === 0 || permission === undefined) return [];
    return [[nameOf(rule, index), create(rbac.PolicySchema, { permissions: [permission], principals })] as const];
  });
  return Object.fromEntries(policies.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Undefined where the rule is not about the port. Where requests cannot be told apart, it allows nothing, and denies everything it could. */
function permissionOn(rule: AccessRuleView, { number, http }: GuardedPort): rbac.Permission | undefined {
  const { ports, notPorts, action } = rule;
  if ((ports.length > 0 && !ports.includes(number)) || notPorts.includes(number)) return undefined;
  if (http) return requestPermission(rule);
  const asks = [rule.paths, rule.methods, rule.notPaths, rule.notMethods].some((list) => list.length > 0);
  return asks && action !== 'DENY' ? undefined : anything();
}

function nameOf({ from: [policy], ports }: AccessRuleView, index: number): string {
  const place = String(index).padStart(3, '0');
  const whose = policy === undefined ? place : `${place} ${policy.kind} ${policy.namespace}/${policy.name}`;
  return ports.length === 0 ? whose : `${whose} on ${ports.join(',')}`;
}
