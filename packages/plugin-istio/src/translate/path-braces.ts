/**
 * Paths with braces: Istio reads them as path templates or rejects the whole object, so it never matches a literal
 * brace.
 */
import type { AccessRuleView } from '@meshrelay/relay-core';
import type { ReportSink } from './reported.ts';

/**
 * The part of the rule that Istio can express; undefined if no part may be written. Reports the missing part to the
 * rule's policies. An ALLOW never allows more than requested. A DENY omits the paths that cannot be written, so that
 * the rest of it stays effective.
 */
export function withoutBraces(rule: AccessRuleView, report: ReportSink): AccessRuleView | undefined {
  const paths = rule.paths.filter(hasNoBrace);
  const notPaths = rule.notPaths.filter(hasNoBrace);
  if (paths.length === rule.paths.length && notPaths.length === rule.notPaths.length) return rule;
  const denies = rule.action === 'DENY';
  const untellable =
    (paths.length === 0 && rule.paths.length > 0) || (!denies && notPaths.length < rule.notPaths.length);
  for (const policy of rule.from) {
    for (const field of ['paths', 'notPaths'] as const) {
      const left = rule[field].filter((path) => !hasNoBrace(path));
      if (left.length === 0) continue;
      report(policy, {
        code: 'UNSUPPORTED',
        severity: 'warning',
        field: `spec.${field === 'paths' ? 'allowedPaths' : 'notPaths'}`,
        message: `Istio cannot match a brace in a path, so ${left.join(', ')} ${consequence(rule.action, field)}; end the path with a * before the brace if that is not too much`,
      });
    }
  }
  return untellable ? undefined : { ...rule, paths, notPaths };
}

function hasNoBrace(path: string): boolean {
  return !/[{}]/.test(path);
}

function consequence(action: AccessRuleView['action'], field: 'paths' | 'notPaths'): string {
  if (field === 'paths') return action === 'DENY' ? 'is not denied' : 'is not allowed';
  return action === 'DENY' ? 'is denied, too' : 'cannot be left out, and the whole rule allows nothing';
}
