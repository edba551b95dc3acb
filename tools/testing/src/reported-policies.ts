/** What policies that are not an adversary's are told, and which of it the adversary may change. */

/** As much of a policy's status as is looked at by name; all the rest must stay as it is. */
interface Status {
  /** The policy; a cluster of '' is the management cluster. */
  readonly ref: { readonly cluster: string };
  readonly status: {
    readonly state: string;
    readonly reports: readonly Report[];
    readonly targets: readonly TargetStatus[];
    readonly targetCount?: number | undefined;
  };
}

interface Report {
  readonly code: string;
  readonly severity: string;
}

interface TargetStatus {
  readonly kind: string;
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
  readonly state: string;
  readonly reports: readonly Report[];
}

/** A control plane, by what it tells policies. */
interface Reporting {
  readonly statuses: { entries(): Iterable<readonly [string, Status]> };
}

/** By the policies' keys. */
export type ReportedPolicies = ReadonlyMap<string, Status>;

/** Of everybody but the adversary. */
export function policiesOfOthers({ statuses }: Reporting, adversary: string): ReportedPolicies {
  return new Map([...statuses.entries()].filter(([, { ref }]) => ref.cluster !== adversary));
}

/**
 * What policies are told otherwise than before, one line each. Everybody's may change
 * - in reports that name the adversary's cluster, and with them in state: a policy may name a Service there, and what others export to that cluster is withheld where
 *   something of the adversary's own has its name.
 *
 * The administrator's act on the adversary's cluster too, and may change besides
 * - in what is told of targets there, in conditions and in the policy's own state, which are of all targets together;
 * - in whether anything is selected at all;
 * - in what a member is told that it lacks to call names of other clusters: it is told where any cluster exports some;
 * - in how much it weighs that others' targets cannot carry the policy, where what becomes of it in the adversary's cluster changes: it is a loss where no target can.
 */
export function changedPolicies(before: ReportedPolicies, after: ReportedPolicies, adversary: string): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((policy) => {
    const [old, now] = [before.get(policy), after.get(policy)];
    if (old === undefined || now === undefined) return [`policy ${policy} came or went`];
    const changes =
      old.ref.cluster === ''
        ? [
            ...changedTargets(old.status, now.status, adversary),
            ...changed(
              'reports',
              reportsOf(old.status.reports.filter(isOfSomething), adversary),
              reportsOf(now.status.reports.filter(isOfSomething), adversary),
            ),
          ]
        : changedStatus(old.status, now.status, adversary);
    return changes.map((line) => `policy ${policy}: ${line}`);
  });
}

function changedStatus(
  { state: oldState, reports: oldReports, ...old }: Status['status'],
  { state, reports, ...now }: Status['status'],
  adversary: string,
): string[] {
  const named = [...oldReports, ...reports].some((report) => concerns(report, adversary));
  return [
    ...(named ? [] : changed('state', oldState, state)),
    ...changed('reports', reportsOf(oldReports, adversary), reportsOf(reports, adversary)),
    ...changed('the rest', JSON.stringify(old), JSON.stringify(now)),
  ];
}

/** Whether a policy selects anything may hang on the adversary's objects. */
function isOfSomething({ code }: Report): boolean {
  return code !== 'NOTHING_SELECTED';
}

function reportsOf(reports: readonly Report[], adversary: string): string {
  return JSON.stringify(reports.filter((report) => !concerns(report, adversary)));
}

function changedTargets(old: Status['status'], now: Status['status'], adversary: string): string[] {
  const [was, is] = [byName(old.targets), byName(now.targets)];
  const own = (targets: readonly TargetStatus[]) =>
    JSON.stringify(targets.filter(({ cluster }) => cluster === adversary));
  // Of workloads those that are well are counted only: others' do not come or go, so a change of the count is of the adversary's.
  const weighs = own(old.targets) === own(now.targets) && old.targetCount === now.targetCount;
  const names = [...new Set([...was.keys(), ...is.keys()])];
  return names.flatMap((name) => {
    const [one, other] = [was.get(name), is.get(name)];
    if (one?.cluster === adversary || other?.cluster === adversary) return [];
    const reported = (target: TargetStatus | undefined) => errorMessage(target, weighs, adversary);
    const named = [one, other].some((target) => target?.reports.some((report) => concerns(report, adversary)));
    const light = !weighs || [one, other].some((target) => target?.reports.some((report) => isOfNames(target, report)));
    return [
      ...(named ? [] : changed(`${name} state`, stateOf(one, light), stateOf(other, light))),
      ...changed(name, reported(one), reported(other)),
    ];
  });
}

function byName(targets: readonly TargetStatus[]): ReadonlyMap<string, TargetStatus> {
  return new Map(
    targets.map((target) => [[target.kind, target.cluster, target.namespace, target.name].join(' '), target]),
  );
}

function stateOf(target: TargetStatus | undefined, light: boolean): string {
  if (target === undefined) return 'no target';
  return light && target.state === 'DEGRADED' ? 'ACCEPTED' : target.state;
}

function errorMessage(target: TargetStatus | undefined, weighs: boolean, adversary: string): string {
  const reported = (target?.reports ?? []).filter(
    (report) => !concerns(report, adversary) && !isOfNames(target, report),
  );
  return reported
    .map(({ severity, ...report }) => JSON.stringify(weighs ? { severity, ...report } : report))
    .sort()
    .join();
}

/** What a member lacks to call names of other clusters. */
const OF_NAMES: ReadonlySet<string> = new Set(['NAMES_NOT_RESOLVED', 'HIDDEN']);

function isOfNames(target: TargetStatus | undefined, { code }: Report): boolean {
  return target?.kind === 'Mesh' && OF_NAMES.has(code);
}

function concerns(report: Report, adversary: string): boolean {
  return new RegExp(`\\b${adversary}\\b`).test(JSON.stringify(report));
}

function changed(what: string, old: string, now: string): string[] {
  return old === now ? [] : [`${what} was ${old}, is ${now}`];
}
