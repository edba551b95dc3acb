/** Runs a scenario: applies its fleet and policies to the lab, sends requests, and reports deviations. */
import type { Report } from '@meshrelay/api';
import type { ComputedStatus } from '@meshrelay/relay-core';
import { eventually } from '@meshrelay/testing';
import type { Lab } from '../lab/lab.ts';
import type { LabCluster } from '../lab/lab-cluster.ts';
import type { Answer, Sending } from '../lab/requests.ts';
import type { RunningPod } from '../lab/running-pod.ts';
import { differences, shareDifferences } from './compare.ts';
import { resolve } from './resolve.ts';
import type { Step, WholeScenario } from './scenario.ts';
import { type Translated, translated } from './translated.ts';

const TIMES = 3;
/** Reported on every VirtualMesh here: its certificates are the lab's, and there is no agent to report them. */
const EXPECTED_OF_LAB = 'TRUST_NOT_ESTABLISHED';
/** Milliseconds. */
const ARRIVED_WITHIN = 10_000;
/** Milliseconds within which proxies write their access logs. */
const LOGGED_WITHIN = 5000;
/** Lines of access logs printed with a failure, per cluster. */
const ACCESSES = 8;
/** An access log line of a request that failed, in Istio's format. */
const FAILED = /^\S+ "[^"]*" (?!2)\d+ /;

/** One line for each deviation. @param fleet its translation */
export async function played(
  lab: Lab,
  scenario: WholeScenario,
  fleet: Translated = translated(scenario.fleet),
): Promise<string[]> {
  await lab.become(fleet.clusters);
  const wrong = statusDifferences(fleet, scenario.statuses ?? {});
  for (const step of scenario.steps) {
    const logs = [...fleet.clusters.keys()].map((name) => {
      const cluster = lab.cluster(name);
      return { cluster, size: cluster.accessLogSize };
    });
    const found = await taken(lab, step);
    if (found.length > 0) wrong.push(`${step.from} to ${step.to}:`, ...new Set(found), ...(await accessesOf(logs)));
  }
  return wrong;
}

/** Access log lines since a size of each log: those of failed requests, or else the last ones. */
async function accessesOf(logs: ReadonlyArray<{ readonly cluster: LabCluster; readonly size: number }>) {
  const lines = () => logs.map(({ cluster, size }) => cluster.accessesSince(size));
  const isWritten = (): boolean => lines().every((each) => each.length > 0);
  // The proxies of a cluster without requests write nothing.
  await eventually('access logs', isWritten, { deadline: LOGGED_WITHIN }).catch(() => {});
  return lines().flatMap((each) => {
    const failed = each.filter((line) => FAILED.test(line));
    return (failed.length > 0 ? failed : each).slice(-ACCESSES);
  });
}

/** `<state> <codes>`; states of several targets are joined. */
export function statusText(status: ComputedStatus | undefined): string {
  if (status === undefined) return 'no status';
  const { state, targets, reports = [] } = status;
  const codes = new Set([...reports, ...targets.flatMap((target) => target.reports)].map(({ code }) => code));
  codes.delete(EXPECTED_OF_LAB);
  return [state, ...[...codes].sort()].join(' ');
}

function statusDifferences(
  { policies, statuses, settingsNotes }: Translated,
  expected: Readonly<Record<string, string>>,
): string[] {
  const wrong = policies.flatMap(({ kind, metadata: { name } }) => {
    const found = kind === 'Settings' ? settingsText(settingsNotes) : statusText(statuses.get(name));
    const expectedText = expected[name] ?? 'ACCEPTED';
    return found === expectedText ? [] : [`the status of ${kind} ${name} is ${found}, not ${expectedText}`];
  });
  const unknown = Object.keys(expected).filter((name) => !policies.some(({ metadata }) => metadata.name === name));
  return [...wrong, ...unknown.map((name) => `a status of policy ${name} is expected, and that policy does not exist`)];
}

function settingsText(notes: readonly Report[]): string {
  const codes = [...new Set(notes.map(({ code }) => code))].sort();
  return [codes.length === 0 ? 'ACCEPTED' : 'DEGRADED', ...codes].join(' ');
}

async function taken(lab: Lab, step: Step): Promise<string[]> {
  for (const name of step.end ?? []) {
    const { pod, cluster } = placeOf(name);
    await lab.cluster(cluster).end(pod);
  }
  const { from, to, expect = {}, times = TIMES } = step;
  if (from === undefined || to === undefined) return [];
  const path = new URL(to).pathname;
  const pods = Object.keys(expect.arrived ?? {}).map((name) => [name, running(lab, name)] as const);
  const before = new Map(await Promise.all(pods.map(async ([name, pod]) => [name, await pod.received(path)] as const)));
  const answers = await sent(lab, from, to, { ...step, times });
  const arrivals = await Promise.all(
    pods.map(([name, pod]) =>
      arrivalDifferences(pod, path, { name, times, before: before.get(name) ?? 0, share: expect.arrived?.[name] ?? 0 }),
    ),
  );
  return [...differences(answers, expect), ...arrivals.flat()];
}

/** Mirrored requests may still be in flight. */
async function arrivalDifferences(
  pod: RunningPod,
  path: string,
  { name, times, before, share }: { name: string; times: number; before: number; share: number },
): Promise<string[]> {
  let wrong: string[] = [];
  const isRight = async (): Promise<boolean> => {
    const count = (await pod.received(path)) - before;
    wrong = shareDifferences(
      `requests that came to ${name}`,
      { here: share, other: 100 - share },
      new Map([
        ['here', count],
        ['other', times - count],
      ]),
    );
    return wrong.length === 0;
  };
  await eventually(`requests at ${name}`, isRight, { deadline: ARRIVED_WITHIN }).catch(() => {});
  return wrong;
}

/** The responses to requests for a URL. If the name does not resolve there is no response. */
export async function sent(
  lab: Lab,
  from: string,
  to: string,
  more: Pick<Sending, 'times'> & Omit<Step, 'from' | 'to'>,
): Promise<Answer[]> {
  const { protocol, hostname, port, host, pathname, search } = new URL(to);
  const tls = protocol === 'https:';
  const { cluster } = placeOf(from);
  const pod = running(lab, from);
  const address = await resolve(lab.cluster(cluster), pod.plan, hostname);
  if (address === undefined)
    return [{ status: 0, headers: {}, body: `nothing resolves ${hostname} in ${from}`, took: 0 }];
  const { method, headers, times, together } = more;
  return pod.send({
    ...{ address, host, port: Number(port || (tls ? 443 : 80)), tls, path: `${pathname}${search}` },
    ...(method === undefined ? {} : { method }),
    ...(headers === undefined ? {} : { headers }),
    ...(times === undefined ? {} : { times }),
    ...(together === undefined ? {} : { together }),
  });
}

function running(lab: Lab, name: string): RunningPod {
  const { pod, cluster } = placeOf(name);
  return lab.cluster(cluster).pod(pod);
}

/** Parses `<pod>.<namespace>@<cluster>`. */
function placeOf(name: string): { readonly pod: string; readonly cluster: string } {
  const [pod = '', cluster = ''] = name.split('@');
  return { pod, cluster };
}
