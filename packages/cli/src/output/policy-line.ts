/** A policy that is not accepted, in one line: what it is, its state, and the gravest of its reports. */
import type { PolicyRef, PolicyStatus, Report } from '@meshrelay/api';

type Evaluated = Pick<PolicyStatus, 'state' | 'reports' | 'targets'>;

/** Such as `TrafficPolicy meshrelay/canary is INVALID: spec.policy… must have weights that sum to 100`; of a status that is missing, that it is not judged yet. */
export function policyLine({ kind, cluster, namespace, name }: PolicyRef, status: Evaluated | undefined): string {
  const title = `${kind} ${namespace}/${name}`;
  const where = cluster === '' ? title : `${title} of ${cluster}`;
  if (status === undefined) return `${where} is not judged yet`;
  // A warning on the policy itself leaves its state alone; one on a target does not.
  const why = gravest([
    ...status.reports.filter(({ severity }) => severity === 'error'),
    ...status.targets.flatMap(({ reports }) => reports),
    ...status.reports,
  ]);
  if (why === undefined) return `${where} is ${status.state}`;
  const said = why.message.startsWith(`${title}: `) ? why.message.slice(title.length + 2) : why.message;
  return `${where} is ${status.state}: ${said}`;
}

const SEVERITIES: ReadonlyArray<Report['severity']> = ['error', 'warning', 'info'];

function gravest(reports: readonly Report[]): Report | undefined {
  for (const severity of SEVERITIES) {
    const found = reports.find((report) => report.severity === severity);
    if (found !== undefined) return found;
  }
  return undefined;
}
