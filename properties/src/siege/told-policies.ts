/** What policies that are not an adversary's are told, and which of it the adversary may change. */
import type { Report, TargetStatus } from '@meshrelay/api';
import { type ControlPlane, canonicalJson, type Key, MANAGEMENT_CLUSTER } from '@meshrelay/relay-core';

type Status = ReturnType<ControlPlane['statuses']['get']> & object;

/** By the policies' keys. */
export type ToldPolicies = ReadonlyMap<Key, Status>;

/** Of everybody but the adversary. */
export function policiesOfOthers({ statuses }: ControlPlane, adversary: string): ToldPolicies {
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
export function changedPolicies(before: ToldPolicies, after: ToldPolicies, adversary: string): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((policy) => {
    const [old, now] = [before.get(policy), after.get(policy)];
    if (old === undefined || now === undefined) return [`policy ${policy} came or went`];
    const changes =
      old.ref.cluster === MANAGEMENT_CLUSTER
        ? [
            ...changedTargets(old.status.targets, now.status.targets, adversary),
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
    ...changed('the rest', canonicalJson(old), canonicalJson(now)),
  ];
}

/** Whether a policy selects anything may hang on the adversary's objects. */
function isOfSomething({ code }: Report): boolean {
  return code !== 'NOTHING_SELECTED';
}

function reportsOf(reports: readonly Report[], adversary: string): string {
  return canonicalJson(reports.filter((report) => !concerns(report, adversary)));
}

function changedTargets(old: readonly TargetStatus[], now: readonly TargetStatus[], adversary: string): string[] {
  const [was, is] = [byName(old), byName(now)];
  const own = (targets: readonly TargetStatus[]) =>
    canonicalJson(targets.filter(({ cluster }) => cluster === adversary));
  const weighs = own(old) === own(now);
  const names = [...new Set([...was.keys(), ...is.keys()])];
  return names.flatMap((name) => {
    const [one, other] = [was.get(name), is.get(name)];
    if (one?.cluster === adversary || other?.cluster === adversary) return [];
    const told = (target: TargetStatus | undefined) => toldOf(target, weighs, adversary);
    const named = [one, other].some((target) => target?.reports.some((report) => concerns(report, adversary)));
    const light = !weighs || [one, other].some((target) => target?.reports.some((report) => isOfNames(target, report)));
    return [
      ...(named ? [] : changed(`${name} state`, stateOf(one, light), stateOf(other, light))),
      ...changed(name, told(one), told(other)),
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

function toldOf(target: TargetStatus | undefined, weighs: boolean, adversary: string): string {
  const told = (target?.reports ?? []).filter((report) => !concerns(report, adversary) && !isOfNames(target, report));
  return told
    .map(({ severity, ...report }) => canonicalJson(weighs ? { severity, ...report } : report))
    .sort()
    .join();
}

/** What a member lacks to call names of other clusters. */
const OF_NAMES: ReadonlySet<string> = new Set(['NAMES_NOT_RESOLVED', 'HIDDEN']);

function isOfNames(target: TargetStatus | undefined, { code }: Report): boolean {
  return target?.kind === 'Mesh' && OF_NAMES.has(code);
}

function concerns(report: Report, adversary: string): boolean {
  return canonicalJson(report).includes(adversary);
}

function changed(what: string, old: string, now: string): string[] {
  return old === now ? [] : [`${what} was ${old}, is ${now}`];
}
