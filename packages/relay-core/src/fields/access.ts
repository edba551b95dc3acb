/** `spec` of an AccessPolicy. */
import { memoizeUntilCompaction } from '../caches/memoize.ts';
import type { AccessRuleView } from './views/access.ts';

/** Each capability with the path in the policy that reports name. */
export const ACCESS_CAPABILITIES = {
  'access.allow': 'spec.action',
  'access.deny': 'spec.action',
  'access.audit': 'spec.action',
  'access.sources.namespaces': 'spec.sourceSelector',
  'access.sources.trustDomains': 'spec.sourceSelector',
  'access.paths': 'spec.allowedPaths',
  'access.methods': 'spec.allowedMethods',
  'access.ports': 'spec.allowedPorts',
  'access.exclusions': 'spec.notPaths',
  'access.unauthenticated': 'spec.unauthenticated',
} as const;

type AccessCapability = keyof typeof ACCESS_CAPABILITIES;

/** What a rule needs. Core drops an unsupported rule as a whole: in part it would admit or deny other requests too. */
export const ruleRequirements: (rule: AccessRuleView) => readonly AccessCapability[] = memoizeUntilCompaction(
  (rule) => {
    const fields: AccessCapability[] = [`access.${rule.action.toLowerCase() as 'allow' | 'deny' | 'audit'}`];
    if (rule.paths.length > 0) fields.push('access.paths');
    if (rule.methods.length > 0) fields.push('access.methods');
    if (rule.ports.length > 0) fields.push('access.ports');
    if (exclusionsOf(rule).length > 0) fields.push('access.exclusions');
    if (rule.sources.kind === 'anyone') fields.push('access.unauthenticated');
    return fields;
  },
);

/** The fields in which an AccessPolicy excludes requests. */
export function exclusionsOf(rule: AccessRuleView): readonly string[] {
  const fields = ['notPaths', 'notMethods', 'notPorts'] as const;
  return fields.filter((field) => rule[field].length > 0).map((field) => `spec.${field}`);
}

/** What a caller of a rule needs; nothing for a caller by name. */
export function sourceRequirements(principal: string): readonly AccessCapability[] {
  if (!principal.endsWith('*')) return [];
  return principal.includes('/ns/') ? ['access.sources.namespaces'] : ['access.sources.trustDomains'];
}
