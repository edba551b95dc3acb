/** Applies a random fleet to the lab, sends its calls, and compares their results with the policies. */
import type { AccessPolicy, KubeObject, TrafficPolicy } from '@meshrelay/api';
import type { ComputedStatus } from '@meshrelay/relay-core';
import { eventually } from '@meshrelay/testing';
import fc from 'fast-check';
import { expectedAnswers, type Requested } from '../../src/istiod/requested.ts';
import type { Lab } from '../lab/lab.ts';
import type { Answer } from '../lab/requests.ts';
import { sent, statusText } from '../scenario/played.ts';
import { type Translated, translated } from '../scenario/translated.ts';
import { type Call, LATE, ORIGIN, podOf, type Service, serviceNamed } from './fleet.ts';
import { fleetSpec, type RandomFleet, requestsOf } from './random-fleet.ts';
import {
  ACCESS_MEMBERS,
  decisiveAccessMembers,
  isSelected,
  type Outcome,
  type Policies,
  type Reading,
  readingOf,
} from './reading.ts';

/** Number of calls of a fleet. */
const SENT = 24;
/** Number of calls for each member of an AccessPolicy that decides on some. */
const DECIDED = 3;
/** Number of concurrent calls of a fleet. */
const TOGETHER = 8;
/** Requests that show which of two policies selects fewer of them. */
const SAMPLE = 400;
/** Milliseconds. Proxies and callers use different clocks. */
const CLOCKS_DIFFER = 10;
/** Milliseconds until copies of requests must have arrived. */
const ARRIVED_WITHIN = 10_000;

export interface Compared {
  /** One line for each deviation from the policies. */
  readonly wrong: readonly string[];
  /** Calls whose results policies determine, by those results. */
  readonly counts: Readonly<Record<string, number>>;
}

interface Read {
  readonly call: Call;
  readonly reading: Reading;
  readonly settled: Requested;
  /** Members of AccessPolicies that its results depend on. */
  readonly decisive: readonly string[];
  /** By which applications count its requests. */
  readonly id: string;
}

/** @param name of the fleet; unique */
export async function compared(lab: Lab, name: string, random: RandomFleet): Promise<Compared> {
  const fleet = translated(fleetSpec(random));
  await lab.become(fleet.clusters);
  const readings = decisiveFirst(readingsOf(fleet, random, name));
  const answers = new Map<Read, Answer>();
  const left = [...readings];
  const sender = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) answers.set(next, await answerTo(lab, next));
  };
  await Promise.all(Array.from({ length: TOGETHER }, sender));
  const arrivals = await arrivalsOf(lab, random.members, readings, name);
  const wrong = readings.flatMap((read) => {
    const answer = answers.get(read) as Answer;
    return [...answerDifferences(answer, read), ...arrivalDifferences(arrivals.get(read.id) ?? new Map(), read)].map(
      (line) => `${aboutOf(read)}: ${line}`,
    );
  });
  return { wrong: [...statusDifferences(fleet), ...wrong], counts: countsOf(readings) };
}

/** The VirtualMesh of random fleets must have no reports. */
function statusDifferences({ statuses }: Translated): string[] {
  const found = statusText(statuses.get('all'));
  return found === 'ACCEPTED' ? [] : [`the status of the VirtualMesh is ${found}`];
}

/** Calls for which every policy is clearly effective, or clearly not. */
function readingsOf(fleet: Translated, random: RandomFleet, name: string): Read[] {
  const ofKind = <T extends KubeObject>(kind: T['kind']): T[] =>
    fleet.policies.filter((policy): policy is T => policy.kind === kind);
  const traffic = ofKind<TrafficPolicy>('TrafficPolicy');
  const access = ofKind<AccessPolicy>('AccessPolicy');
  const effectOf = ({ metadata, spec }: TrafficPolicy | AccessPolicy, service: Service): Effect =>
    isSelected(spec.destinationSelector ?? [], service) ? effectOn(fleet.statuses.get(metadata.name), service) : 'none';
  const about = <T extends TrafficPolicy | AccessPolicy>(policies: readonly T[], service: Service): T[] =>
    policies.filter((policy) => effectOf(policy, service) !== 'none');
  const settledOf = new Map<Call, Requested>();
  for (const alike of Map.groupBy(random.calls, placesOf).values()) {
    const [{ service, caller }] = alike as [Call];
    const settled = expectedAnswers(about(traffic, service), [...alike, ...sampleOf(caller)]);
    for (const [at, call] of alike.entries()) settledOf.set(call, settled[at] as Requested);
  }
  return random.calls.flatMap((call, at) => {
    const policies = about(traffic, call.service);
    const settled = settledOf.get(call) as Requested;
    if (settled.disputed.length > 0) return [];
    const saying = new Set([...settled.by.values()].flat());
    const targets = [call.service, ...routeTargetsOf(settled)];
    const isUncertain =
      policies.some((policy) => saying.has(policy.metadata.name) && effectOf(policy, call.service) === 'uncertain') ||
      targets.some((target) => access.some((policy) => effectOf(policy, target) === 'uncertain'));
    if (isUncertain) return [];
    const { closed, federation, members } = random;
    const applied: Policies = {
      ...{ rules: settled.rules, closed, federation, members },
      access: (service) => about(access, service),
    };
    const decisive = decisiveAccessMembers(call, applied);
    return [{ call, settled, reading: readingOf(call, applied), decisive, id: `${name} ${at}` }];
  });
}

/** Calls whose results depend on members of AccessPolicies, a few for each member, and others up to the number sent. */
function decisiveFirst(all: readonly Read[]): Read[] {
  const chosen = new Set(
    ACCESS_MEMBERS.flatMap((member) => all.filter(({ decisive }) => decisive.includes(member)).slice(0, DECIDED)),
  );
  return [...chosen, ...all.filter((read) => !chosen.has(read))].slice(0, SENT);
}

/** The cluster of its caller, and its Service. */
function placesOf({ caller, service }: Call): string {
  return `${caller.cluster} ${service.name}`;
}

/** Requests of the same cluster. */
function sampleOf({ cluster }: Call['caller']): Array<Pick<Call, 'caller' | 'request'>> {
  return fc.sample(requestsOf([cluster]), { numRuns: SAMPLE, seed: 1 });
}

/** Services that receive requests instead, or copies of them. */
function routeTargetsOf({ rules: { trafficShift, mirror } }: Requested): Service[] {
  const targets = [...(trafficShift?.destinations ?? []), ...(mirror === undefined ? [] : [mirror])];
  return targets.flatMap(({ kubeService }) =>
    kubeService === undefined ? [] : [serviceNamed(kubeService.name, kubeService.clusterName)],
  );
}

type Effect = 'whole' | 'none' | 'uncertain';

/** Whether a policy has an effect on a Service that it selects: ACCEPTED there without a report, or not at all. */
function effectOn(status: ComputedStatus | undefined, { name, cluster }: Service): Effect {
  const target = status?.targets.find(
    (one) => one.name === name && one.namespace === 'shop' && one.cluster === cluster,
  );
  const state = target?.state ?? status?.state;
  const reports = [...(target?.reports ?? []), ...(status?.reports ?? [])];
  if (state === 'ACCEPTED') return reports.length === 0 ? 'whole' : 'uncertain';
  return state === 'DEGRADED' ? 'uncertain' : 'none';
}

async function answerTo(lab: Lab, { call, id }: Read): Promise<Answer> {
  const { caller, request, application } = call;
  const query = new URLSearchParams(request.query).toString();
  const headers = {
    ...request.headers,
    'x-call': id,
    origin: ORIGIN,
    ...(application === 'late' ? { 'x-answer-after': String(LATE) } : {}),
    ...(typeof application === 'number' ? { 'x-fail-attempts': String(application), 'x-fail-status': '500' } : {}),
  };
  const url = `${urlOf(call)}${request.path}${query === '' ? '' : `?${query}`}`;
  const [answer] = await sent(lab, podOf(caller), url, { method: request.method, headers, times: 1 });
  return answer ?? { status: 0, headers: {}, body: 'no answer', took: 0 };
}

function urlOf({ federated, service: { name, cluster }, port }: Call): string {
  return `http://${name}.shop${federated ? `.svc.${cluster}.global` : ''}:${port}`;
}

/** How often each call arrived at each application, once all required copies have arrived. */
async function arrivalsOf(
  lab: Lab,
  clusters: readonly string[],
  readings: readonly Read[],
  name: string,
): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  const pods = clusters.flatMap((cluster) => lab.cluster(cluster).pods.filter(({ plan }) => !plan.gateway));
  const copied = readings.filter(({ reading }) => reading.copies.must);
  let arrivals = new Map<string, Map<string, number>>();
  const isComplete = async (): Promise<boolean> => {
    const visits = await Promise.all(pods.map((pod) => pod.visits(`${name} `)));
    arrivals = new Map();
    for (const [at, pod] of pods.entries())
      for (const [id, count] of Object.entries(visits[at] ?? {})) {
        const own = arrivals.get(id) ?? new Map<string, number>();
        arrivals.set(id, own.set(`${pod.plan.name}.${pod.plan.cluster}`, count));
      }
    return copied.every(({ id, reading }) => hasCopy(arrivals.get(id), reading));
  };
  await eventually('copies of requests', isComplete, { deadline: ARRIVED_WITHIN }).catch(() => {});
  return arrivals;
}

function hasCopy(arrivals: ReadonlyMap<string, number> | undefined, { copies }: Reading): boolean {
  return copies.pods.some((pod) => (arrivals?.get(pod) ?? 0) > 0);
}

function arrivalDifferences(arrivals: ReadonlyMap<string, number>, { reading }: Read): string[] {
  const { outcomes, copies } = reading;
  const allowed = new Set([...outcomes.flatMap(({ pods }) => pods), ...copies.pods]);
  const strange = [...arrivals.keys()].filter((pod) => !allowed.has(pod));
  return [
    ...(strange.length === 0 ? [] : [`it came to ${strange.join(', ')}`]),
    ...(copies.must && !hasCopy(arrivals, reading) ? [`no copy came to ${copies.pods.join(', ')}`] : []),
  ];
}

function answerDifferences(answer: Answer, { reading: { outcomes }, settled: { rules } }: Read): string[] {
  if (!outcomes.some((outcome) => isEnd(answer, outcome)))
    return [
      `status ${answer.status} of ${answer.by?.pod ?? 'no application'}, port ${answer.by?.port}, after ${answer.took} ms, ${answer.body.slice(0, 100)}; expected ${JSON.stringify(outcomes)}`,
    ];
  if (answer.by === undefined) return [];
  const tried = rules.headerManipulation?.appendRequestHeaders?.['x-tried'];
  const origins = rules.corsPolicy?.allowOrigins?.flatMap(({ exact }) => exact ?? []) ?? [];
  const origin = origins.includes(ORIGIN) ? ORIGIN : undefined;
  const found = answer.headers['access-control-allow-origin'];
  return [
    ...(answer.by.headers['x-tried'] === tried ? [] : [`x-tried is ${answer.by.headers['x-tried']}, not ${tried}`]),
    ...(found === origin ? [] : [`access-control-allow-origin is ${found}, not ${origin}`]),
  ];
}

function isEnd({ status, by, took }: Answer, outcome: Outcome): boolean {
  if (status !== outcome.status || took < outcome.least - CLOCKS_DIFFER) return false;
  if (outcome.port === undefined) return by === undefined;
  return by !== undefined && outcome.pods.includes(by.pod) && by.port === outcome.port;
}

function aboutOf({ call, settled, id }: Read): string {
  const { caller, request, application } = call;
  const by = [...settled.from].map(([field, policies]) => `${field} by ${policies.join()}`).join(', ');
  const headers = JSON.stringify(request.headers);
  const { path, query, method } = request;
  const url = `${urlOf(call)}${path} ${new URLSearchParams(query)}`;
  return `${id}, ${podOf(caller)}, ${method} ${url} ${headers}, application ${application}, ${by || 'no TrafficPolicy'}`;
}

function countsOf(readings: readonly Read[]): Record<string, number> {
  const counts: Record<string, number> = {};
  const count = (what: string): void => {
    counts[what] = (counts[what] ?? 0) + 1;
  };
  for (const { settled, reading, call, decisive } of readings) {
    for (const field of [...settled.by.keys(), ...decisive]) count(field);
    if (reading.copies.must) count('copies that must arrive');
    if (call.caller.cluster !== call.service.cluster) count('calls of other clusters');
    const statuses = new Set(reading.outcomes.map(({ status }) => status));
    const [only] = statuses;
    count(statuses.size === 1 ? `status ${only}` : 'several statuses');
  }
  return counts;
}
