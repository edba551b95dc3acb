/** Random TrafficPolicies on one fleet, and requests of which the policies themselves say what is to become of them. */
import type { TrafficPolicy, TrafficRules } from '@meshrelay/api';
import type { FleetSpec } from '@meshrelay/plugin-kit';
import type { ComputedStatus } from '@meshrelay/relay-core';
import fc from 'fast-check';
import { type Asked, askedFor, type Call, type Caller } from '../../src/istiod/asked-for.ts';
import type { Request } from '../../src/istiod/envoy-request.ts';
import { trafficSpecs } from '../../src/istiod/traffic-specs.ts';
import { isInForce } from '../../src/statuses.ts';
import type { Lab } from '../lab/lab.ts';
import type { Answer } from '../lab/requests.ts';
import { sent } from './played.ts';
import { fleetClusters } from './scenario.ts';
import { translated } from './translated.ts';

export interface RandomFleet {
  readonly specs: readonly object[];
  readonly calls: readonly Call[];
}

const one = fc.constantFrom;
const CLUSTERS = ['cluster-1', 'cluster-2'];

const callers: fc.Arbitrary<Caller> = one<Caller>(
  { cluster: 'cluster-1', namespace: 'front', labels: { app: 'web', tier: 'front' } },
  { cluster: 'cluster-1', namespace: 'front', labels: { app: 'admin', tier: 'back' } },
  { cluster: 'cluster-1', namespace: 'batch', labels: { app: 'job', tier: 'back' } },
  { cluster: 'cluster-2', namespace: 'front', labels: { app: 'web', tier: 'front' } },
);

const requests: fc.Arbitrary<Request> = fc.record({
  path: one('/', '/a', '/a/', '/a/b', '/a/x.js', '/A', '/ab', '/b', '/b.js', '/c'),
  method: one('GET', 'POST'),
  headers: one<Readonly<Record<string, string>>>({}, { 'x-user': 'ann' }, { 'x-user': 'bob', 'x-on': '1' }),
  query: one<Readonly<Record<string, string>>>({}, { q: '1' }, { q: '22', on: '' }),
});

/** A delay that can be waited for many times. Envoy and the caller count whole milliseconds, each by its own clock. */
const DELAY = { asked: '3s', instead: '300ms', least: 290 } as const;

const specs = trafficSpecs.map(
  (spec) => JSON.parse(JSON.stringify(spec).replaceAll(`"${DELAY.asked}"`, `"${DELAY.instead}"`)) as object,
);

export const randomFleets: fc.Arbitrary<RandomFleet> = fc.record({
  specs: fc.array(specs, { minLength: 1, maxLength: 3 }),
  calls: fc.array(fc.record({ caller: callers, request: requests }), { minLength: 16, maxLength: 16 }),
});

/** What is told where two routes take the same requests: which of them does is not for us to say. */
const OVERLAPS = new Set(['OVERLAPPING_MATCHERS', 'OVERLAP_NOT_ANALYSED', 'ROUTE_SHADOWED']);
/** What is seen of a request here; attempts and timeouts need answers that fail or come late. */
const SEEN = ['faultInjection', 'headerManipulation', 'corsPolicy', 'trafficShift'] as const;
const ORIGIN = 'https://one.example';

export interface Judged {
  /** One line for each request that policies in force say something else of than what came of it. */
  readonly wrong: readonly string[];
  /** Requests of which a policy says something, and that were compared. */
  readonly compared: number;
}

/** Sends the requests. */
export async function judgedFleet(lab: Lab, { specs: all, calls }: RandomFleet): Promise<Judged> {
  const fleet = translated(fleetOf(all));
  await lab.become(fleet.clusters);
  const policies = fleet.policies.filter((policy): policy is TrafficPolicy => policy.kind === 'TrafficPolicy');
  const force = policies.filter(({ metadata }) => isInForce(fleet.statuses.get(metadata.name)));
  const overlapping = new Set(
    force
      .map(({ metadata }) => metadata.name)
      .filter((name) => codesOf(fleet.statuses.get(name)).some((code) => OVERLAPS.has(code))),
  );
  const asked = CLUSTERS.flatMap((cluster) => {
    const own = calls.filter(({ caller }) => caller.cluster === cluster);
    return askedFor(force, everyCall(own))
      .slice(0, own.length)
      .map((what, at) => ({ call: own[at] as Call, what }));
  });
  const plain = asked.filter(({ what }) => !isUncertain(what, overlapping));
  const lines = await Promise.all(plain.map(({ call, what }) => differences(lab, call, what.rules)));
  return { wrong: lines.flat(), compared: plain.filter(({ what }) => SEEN.some((field) => what.by.has(field))).length };
}

function fleetOf(all: readonly object[]): FleetSpec {
  const meshes = CLUSTERS.map((name) => ({ name: `istiod-istio-system-${name}`, namespace: 'meshrelay' }));
  return {
    about: 'random policies',
    clusters: fleetClusters('random'),
    management: [
      { VirtualMesh: 'all', spec: { meshes, mtlsConfig: { shared: {} }, federation: { mode: 'ALL' } } },
      ...all.map((spec, at) => ({ TrafficPolicy: `p${at}`, spec })),
    ],
  };
}

/** Which of two policies is for fewer requests shows in many requests only. */
function everyCall(own: readonly Call[]): Call[] {
  const sample = fc.sample(fc.record({ caller: callers, request: requests }), { numRuns: 400, seed: 1 });
  return [...own, ...sample.filter(({ caller }) => caller.cluster === own[0]?.caller.cluster)];
}

function isUncertain({ by, disputed }: Asked, overlapping: ReadonlySet<string>): boolean {
  return disputed.length > 0 || [...by.values()].flat().some((policy) => overlapping.has(policy));
}

function codesOf(status: ComputedStatus | undefined): string[] {
  const reports = [...(status?.reports ?? []), ...(status?.targets ?? []).flatMap((target) => target.reports)];
  return reports.map(({ code }) => code);
}

async function differences(lab: Lab, { caller, request }: Call, rules: TrafficRules): Promise<string[]> {
  const { app } = caller.labels;
  const host = caller.cluster === 'cluster-1' ? 'api.shop' : 'api.shop.svc.cluster-1.global';
  const query = new URLSearchParams(request.query).toString();
  const url = `http://${host}${request.path}${query === '' ? '' : `?${query}`}`;
  const headers = { ...request.headers, origin: ORIGIN };
  const from = `${app}-v1.${caller.namespace}@${caller.cluster}`;
  const [answer] = await sent(lab, from, url, { method: request.method, headers, times: 1 });
  if (answer === undefined) return [`${from}: no answer to ${url}`];
  const about = `${from}, ${request.method} ${url} ${JSON.stringify(request.headers)}`;
  return wrongWith(answer, rules).map((line) => `${about}: ${line}; asked for ${JSON.stringify(rules)}`);
}

function wrongWith(
  answer: Answer,
  { faultInjection, headerManipulation, corsPolicy, trafficShift }: TrafficRules,
): string[] {
  const { fixedDelay, abort, percentage = 100 } = faultInjection ?? {};
  const statuses = abort === undefined ? [200] : percentage === 100 ? [abort.httpStatus] : [200, abort.httpStatus];
  if (!statuses.includes(answer.status)) return [`status ${answer.status} ${answer.body}`];
  if (fixedDelay !== undefined && answer.took < DELAY.least) return [`it took only ${answer.took} ms`];
  if (answer.by === undefined) return [];
  const pods = trafficShift?.destinations.map(
    ({ kubeService }) => `${kubeService?.name}-v1.${kubeService?.clusterName}`,
  ) ?? ['api-v1.cluster-1'];
  const tried = headerManipulation?.appendRequestHeaders?.['x-tried'];
  const origins = corsPolicy?.allowOrigins?.flatMap(({ exact }) => exact ?? []) ?? [];
  const allowed = origins.includes(ORIGIN) ? ORIGIN : undefined;
  return [
    ...(pods.includes(answer.by.pod) ? [] : [`${answer.by.pod} answered`]),
    ...(answer.by.headers['x-tried'] === tried ? [] : [`x-tried is ${answer.by.headers['x-tried']}`]),
    ...(answer.headers['access-control-allow-origin'] === allowed
      ? []
      : [`access-control-allow-origin is ${answer.headers['access-control-allow-origin']}`]),
  ];
}
