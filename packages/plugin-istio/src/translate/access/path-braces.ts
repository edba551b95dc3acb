/**
 * Paths with braces: Istio reads them as path templates or rejects the whole object, so it never matches a literal
 * brace.
 */
import type { AccessRuleView } from '@meshrelay/plugin';
import type { ReportSink } from '../reported.ts';

export function hasNoBrace(path: string): boolean {
  return !/[{}]/.test(path);
}

/** Reports the paths with braces to the policies of a rule. */
export function reportBraces(
  { from }: AccessRuleView,
  {
    field,
    paths,
    consequence,
  }: { readonly field: string; readonly paths: readonly string[]; readonly consequence: string },
  report: ReportSink,
): void {
  const left = paths.filter((path) => !hasNoBrace(path));
  const message = `Istio cannot match a brace in a path, so ${left.join(', ')} ${consequence}; end the path with a * before the brace if that is not too much`;
  for (const policy of from) report(policy, { code: 'UNSUPPORTED', severity: 'warning', field, message });
}
