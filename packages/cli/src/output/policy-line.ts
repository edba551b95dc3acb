/** A policy that is not accepted, in one line: its name, its state, and its most severe report. */
import type { PolicyRef, PolicyStatus, Report } from '@meshrelay/api';

type Evaluated = Pick<PolicyStatus, 'state' | 'reports' | 'targets'>;

/**
 * Such as `TrafficPolicy meshrelay/canary is INVALID: spec.policy… must have weights that sum to 100`; without a
 * status, that it is not evaluated yet.
 */
export function policyLine({ kind, cluster, namespace, name }: PolicyRef, status: Evaluated | undefined): string {
  const title = `${kind} ${namespace}/${name}`;
  const where = cluster === '' ? title : `${title} of ${cluster}`;
  if (status === undefined) return `${where} is not evaluated yet`;
  // A warning on the policy itself does not change its state; one on a target does.
  const why = gravest([
    ...status.reports.filter(({ severity }) => severity === 'error'),
    ...status.targets.flatMap(({ reports }) => reports),
    ...status.reports,
  ]);
  if (why === undefined) return `${where} is ${status.state}`;
  const text = why.message.startsWith(`${title}: `) ? why.message.slice(title.length + 2) : why.message;
  return `${where} is ${status.state}: ${text}`;
}

const SEVERITIES: ReadonlyArray<Report['severity']> = ['error', 'warning', 'info'];

function gravest(reports: readonly Report[]): Report | undefined {
  for (const severity of SEVERITIES) {
    const found = reports.find((report) => report.severity === severity);
    if (found !== undefined) return found;
  }
  return undefined;
}
