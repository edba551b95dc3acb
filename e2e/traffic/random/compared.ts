/** Applies a random fleet to the lab, sends its calls, and compares their results with the policies. */
import type { AccessPolicy, KubeObject, TrafficPolicy, TrafficRules } from '@meshrelay/api';
import type { ComputedStatus } from '@meshrelay/relay-core';
import { eventually } from '@meshrelay/testing';
import fc from 'fast-check';
import { expectedAnswers, type Requested } from '../../src/istiod/requested.ts';
import type { Lab } from '../lab/lab.ts';
import type { Answer } from '../lab/requests.ts';
import { shareDifferences } from '../scenario/compare.ts';
import { sent, statusText } from '../scenario/played.ts';
import { type Translated, translated } from '../scenario/translated.ts';
import {
  APPLICATION_HEADER,
  APPLICATION_VALUE,
  type Call,
  LATE,
  ORIGIN,
  podOf,
  type Service,
  serviceNamed,
} from './fleet.ts';
import { fleetSpec, type RandomFleet, requestsOf } from './random-fleet.ts';
import {
  ACCESS_MEMBERS,
  decisiveAccessMembers,
  isSelected,
  type Outcome,
  type Policies,
  type Reading,
  readingOf,
  resultOf,
} from './reading.ts';

/** Number of calls of a fleet. */
const SENT = 24;
/**
 * Number of calls whose results have shares, of those that are copied, of those for each field that TrafficPolicies set, and of those for each
 * member of an AccessPolicy that decides on some.
 */
const DECIDED = 3;
/** Number of requests of the call of a fleet whose results have the most different shares. */
const REPEATED = 60;
/** Number of concurrent calls of a fleet. */
const TOGETHER = 8;
/** Number of concurrent requests of the repeated call. */
const REPEATED_TOGETHER = 4;
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

type Sent = ReadonlyMap<Read, readonly Answer[]>;

/** @param name of the fleet; unique. @param fleet its translation */
export async function compared(
  lab: Lab,
  name: string,
  random: RandomFleet,
  fleet: Translated = translated(fleetSpec(random)),
): Promise<Compared> {
  await lab.become(fleet.clusters);
  const { readings, contradictions } = readingsOf(fleet, random, name);
  const answers = await answersTo(lab, readings);
  const arrivals = await arrivalsOf(lab, random.members, readings, name);
  const wrong = readings.flatMap((read) => {
    const own = answers.get(read) ?? [];
    return [
      ...own.flatMap((answer) => answerDifferences(answer, read)).slice(0, 1),
      ...(own.length === 1 ? [] : differentShares(own, read)),
      ...arrivalDifferences(arrivals.get(read.id) ?? new Map(), read),
    ].map((line) => `${aboutOf(read)}: ${line}`);
  });
  return { wrong: [...statusDifferences(fleet), ...contradictions, ...wrong], counts: countsOf(readings) };
}

/** One for each call; many for the call whose results have the most different shares. */
async function answersTo(lab: Lab, readings: readonly Read[]): Promise<Sent> {
  const answers = new Map<Read, readonly Answer[]>();
  const [repeated] = withShares(readings);
  const isLong = (read: Read): boolean => read === repeated || read.call.application === 'late';
  const left = [...readings.filter(isLong), ...readings.filter((read) => !isLong(read))];
  const sender = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift())
      answers.set(next, await answersOf(lab, next, next === repeated ? REPEATED : 1));
  };
  await Promise.all(Array.from({ length: TOGETHER }, sender));
  return answers;
}

function differentShares(answers: readonly Answer[], { call, reading: { shares = {} } }: Read): string[] {
  const counts = new Map<string, number>();
  for (const { status, by } of answers) {
    const result = by === undefined ? `status ${status}` : resultOf(by.pod, call.caller);
    counts.set(result, (counts.get(result) ?? 0) + 1);
  }
  return shareDifferences('results', shares, counts);
}

/** The VirtualMesh of random fleets must have no reports. */
function statusDifferences({ statuses }: Translated): string[] {
  const found = statusText(statuses.get('all'));
  return found === 'ACCEPTED' ? [] : [`the status of the VirtualMesh is ${found}`];
}

/** Calls for which every policy is clearly effective, or clearly not. */
function readingsOf(
  fleet: Translated,
  random: RandomFleet,
  name: string,
): { readonly readings: Read[]; readonly contradictions: ReadonlySet<string> } {
  const contradictions = new Set<string>();
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
  const all = random.calls.flatMap((call, at): Read[] => {
    const policies = about(traffic, call.service);
    const settled = settledOf.get(call) as Requested;
    const isWhole = (policy: string): boolean =>
      policies.some((one) => one.metadata.name === policy && effectOf(one, call.service) === 'whole');
    for (const [one, other] of settled.contradictory)
      if (isWhole(one) && isWhole(other))
        contradictions.add(
          `${one} and ${other} set a field differently for the same requests to ${call.service.name}, and both are ACCEPTED`,
        );
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
  return { readings: decisiveFirst(all), contradictions };
}

/** Of each kind a few calls that policies decide on; then others up to the number sent. */
function decisiveFirst(all: readonly Read[]): Read[] {
  const fields = new Set(all.flatMap(({ settled }) => [...settled.by.keys()]));
  const chosen = new Set(
    [
      withShares(all),
      all.filter(({ reading }) => reading.copies.must),
      ...[...fields].map((field) => all.filter(({ settled }) => settled.by.has(field))),
      ...ACCESS_MEMBERS.map((member) => all.filter(({ decisive }) => decisive.includes(member))),
    ].flatMap((some) => some.slice(0, DECIDED)),
  );
  return [...chosen, ...all.filter((read) => !chosen.has(read))].slice(0, SENT);
}

/** Those whose results have shares, with the most different ones first. */
function withShares(all: readonly Read[]): Read[] {
  const spread = ({ reading: { shares } }: Read): number => {
    const values = Object.values(shares ?? {});
    return Math.max(...values) - Math.min(...values);
  };
  return all
    .filter(({ reading }) => reading.shares !== undefined)
    .toSorted((one, other) => spread(other) - spread(one));
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

async function answersOf(lab: Lab, { call, id }: Read, times: number): Promise<Answer[]> {
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
  return sent(lab, podOf(caller), url, { method: request.method, headers, times, together: REPEATED_TOGETHER });
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
  const { outcomes, copies, tries } = reading;
  const total = [...arrivals.values()].reduce((sum, count) => sum + count, 0);
  const allowed = new Set([...outcomes.flatMap(({ pods }) => pods), ...copies.pods]);
  const strange = [...arrivals.keys()].filter((pod) => !allowed.has(pod));
  return [
    ...(tries === undefined || tries === total ? [] : [`${total} tries arrived, not ${tries}`]),
    ...(strange.length === 0 ? [] : [`it came to ${strange.join(', ')}`]),
    ...(copies.must && !hasCopy(arrivals, reading) ? [`no copy came to ${copies.pods.join(', ')}`] : []),
  ];
}

function answerDifferences(answer: Answer, { call, reading: { outcomes }, settled: { rules } }: Read): string[] {
  if (!outcomes.some((outcome) => isEnd(answer, outcome)))
    return [
      `status ${answer.status} of ${answer.by?.pod ?? 'no application'}, port ${answer.by?.port}, after ${answer.took} ms, ${answer.body.slice(0, 100)}; expected ${JSON.stringify(outcomes)}`,
    ];
  if (answer.by === undefined) return [];
  return [
    ...headerDifferences('request', expectedOfRequest(call, rules), answer.by.headers),
    ...headerDifferences('response', expectedOfResponse(rules), answer.headers),
  ];
}

type Headers = Readonly<Record<string, string | undefined>>;

function expectedOfRequest({ request }: Call, { headerManipulation }: TrafficRules): Headers {
  const { appendRequestHeaders = {}, removeRequestHeaders = [] } = headerManipulation ?? {};
  return changed({ 'x-user': request.headers['x-user'] }, appendRequestHeaders, removeRequestHeaders, ['x-tried']);
}

function expectedOfResponse({ corsPolicy, headerManipulation }: TrafficRules): Headers {
  const { appendResponseHeaders = {}, removeResponseHeaders = [] } = headerManipulation ?? {};
  const { allowOrigins = [], allowCredentials = false, exposeHeaders } = corsPolicy ?? {};
  const isAllowed = allowOrigins.some(({ exact }) => exact === ORIGIN);
  return {
    ...changed({ [APPLICATION_HEADER]: APPLICATION_VALUE }, appendResponseHeaders, removeResponseHeaders, []),
    'access-control-allow-origin': isAllowed ? ORIGIN : undefined,
    'access-control-allow-credentials': isAllowed && allowCredentials ? 'true' : undefined,
    'access-control-expose-headers': isAllowed ? exposeHeaders?.join() : undefined,
  };
}

/** @param further names of headers that must not be there otherwise */
function changed(
  before: Headers,
  appended: Readonly<Record<string, string>>,
  removed: readonly string[],
  further: readonly string[],
): Headers {
  const names = [...Object.keys(before), ...further];
  return Object.fromEntries(
    names.map((name) => {
      const values = [removed.includes(name) ? undefined : before[name], appended[name]];
      return [name, values.filter((value) => value !== undefined).join(', ') || undefined];
    }),
  );
}

function headerDifferences(of: string, expected: Headers, found: Answer['headers']): string[] {
  return Object.entries(expected).flatMap(([name, value]) =>
    found[name] === value ? [] : [`header ${name} of the ${of} is ${found[name]}, not ${value}`],
  );
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
    if (reading.shares !== undefined) count('results with shares');
    if ((reading.tries ?? 1) > 1) count('several tries');
    if (call.caller.cluster !== call.service.cluster) count('calls of other clusters');
    const statuses = new Set(reading.outcomes.map(({ status }) => status));
    const [only] = statuses;
    count(statuses.size === 1 ? `status ${only}` : 'several statuses');
  }
  return counts;
}
