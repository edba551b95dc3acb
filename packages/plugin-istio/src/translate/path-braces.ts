/** Paths with braces: Istio takes them for templates of its own, or refuses the whole object, and so never matches a brace itself. */
import type { AccessRuleView } from '@meshrelay/relay-core';
import type { ReportSink } from './reported.ts';

/**
 * The rule as far as Istio can write it, undefined where nothing of it may be written; its policies are told what is missing. An ALLOW never
 * comes to allow more than was asked for. A DENY goes without the paths that cannot be written: nothing else would leave the rest in force.
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
        message: `Istio has no way to match a brace in a path, so ${left.join(', ')} ${consequence(rule.action, field)}; end the path with a * before the brace if that is not too much`,
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
  return action === 'DENY' ? 'is denied too' : 'cannot be left out, and the whole rule allows nothing';
}
