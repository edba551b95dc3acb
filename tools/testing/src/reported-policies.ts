/** Reports on policies that do not belong to the adversary, and which parts of them the adversary may change. */

/** The fields of a policy's status that are compared by name; all others must stay equal. */
interface Status {
  /** The policy; cluster '' is the management cluster. */
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
  readonly field?: string | undefined;
}

interface TargetStatus {
  readonly kind: string;
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
  readonly state: string;
  readonly reports: readonly Report[];
}

/** A control plane, as the statuses that it reports. */
interface Reporting {
  readonly statuses: { entries(): Iterable<readonly [string, Status]> };
}

/** By the policies' keys. */
export type ReportedPolicies = ReadonlyMap<string, Status>;

/** Policies of all users except the adversary. */
export function policiesOfOthers({ statuses }: Reporting, adversary: string): ReportedPolicies {
  return new Map([...statuses.entries()].filter(([, { ref }]) => ref.cluster !== adversary));
}

/**
 * Differences between the policy reports before and after, one line each. The adversary may change, for all policies,
 * - reports that name the adversary's cluster, and with them the state. A policy may name a Service there, and an
 *   exported object is not applied there if the adversary owns one of its name.
 *
 * The administrator's policies also apply to the adversary's cluster. For those, the adversary may also change
 * - reports on targets there, conditions, and the policy's own state, which summarize all targets;
 * - whether the policy selects anything at all;
 * - the report of what a member lacks to call names of other clusters, which exists where any cluster exports names;
 * - reports on the gateways of other members, and with them their state, if a mesh of the adversary's joins or leaves the
 *   virtual mesh: a gateway is required only if another cluster is a member;
 * - the severity of others' targets that do not support the policy, if its state in the adversary's cluster changes. It
 *   is an error only if no target supports the policy.
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

/** Whether a policy selects anything may depend on the adversary's objects. */
function isOfSomething({ code }: Report): boolean {
  return code !== 'NO_TARGETS_SELECTED';
}

function reportsOf(reports: readonly Report[], adversary: string): string {
  return JSON.stringify(reports.filter((report) => !concerns(report, adversary)));
}

function changedTargets(old: Status['status'], now: Status['status'], adversary: string): string[] {
  const [was, is] = [byName(old.targets), byName(now.targets)];
  const own = (targets: readonly TargetStatus[]) =>
    JSON.stringify(targets.filter(({ cluster }) => cluster === adversary));
  // Healthy workloads are only counted. Other users' workloads do not change, so the adversary's workloads cause every
  // change of the count.
  const weighs = own(old.targets) === own(now.targets) && old.targetCount === now.targetCount;
  const ownMeshes = (targets: ReadonlyMap<string, TargetStatus>) =>
    JSON.stringify([...targets].flatMap(([name, one]) => (isMeshOf(one, adversary) ? [name] : [])).sort());
  const stays = ownMeshes(was) === ownMeshes(is);
  const names = [...new Set([...was.keys(), ...is.keys()])];
  return names.flatMap((name) => {
    const [one, other] = [was.get(name), is.get(name)];
    if (one?.cluster === adversary || other?.cluster === adversary) return [];
    const isOfAdversary = (target: TargetStatus | undefined, report: Report) =>
      concerns(report, adversary) || (!stays && isOfGateway(target, report));
    const reported = (target: TargetStatus | undefined) => errorMessage(target, weighs, isOfAdversary);
    const named = [one, other].some((target) => target?.reports.some((report) => isOfAdversary(target, report)));
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

function errorMessage(
  target: TargetStatus | undefined,
  weighs: boolean,
  isOfAdversary: (target: TargetStatus | undefined, report: Report) => boolean,
): string {
  const reported = (target?.reports ?? []).filter(
    (report) => !isOfAdversary(target, report) && !isOfNames(target, report),
  );
  return reported
    .map(({ severity, ...report }) => JSON.stringify(weighs ? { severity, ...report } : report))
    .sort()
    .join();
}

/** Requirements that a member lacks to call names of other clusters. */
const OF_NAMES: ReadonlySet<string> = new Set(['NAMES_NOT_RESOLVED', 'SERVICES_HIDDEN']);

function isOfNames(target: TargetStatus | undefined, { code }: Report): boolean {
  return target?.kind === 'Mesh' && OF_NAMES.has(code);
}

function isMeshOf({ kind, cluster }: TargetStatus, owner: string): boolean {
  return kind === 'Mesh' && cluster === owner;
}

/** The field of a VirtualMesh that selects gateways; all reports on a gateway are about it. */
const GATEWAY_FIELD = 'spec.federation.eastWestIngressGatewaySelectors';

function isOfGateway(target: TargetStatus | undefined, { field }: Report): boolean {
  return target?.kind === 'Mesh' && field === GATEWAY_FIELD;
}

function concerns(report: Report, adversary: string): boolean {
  return new RegExp(`\\b${adversary}\\b`).test(JSON.stringify(report));
}

function changed(what: string, old: string, now: string): string[] {
  return old === now ? [] : [`${what} was ${old}, is ${now}`];
}
