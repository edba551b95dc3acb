/**
 * Proxies do with a request what policies specify: compares the specs, read independently, with the routes that istiod
 * sends to each caller.
 */
import process from 'node:process';
import type { TrafficPolicy } from '@meshrelay/api';
import istioPlugin from '@meshrelay/plugin-istio';
import * as fixture from '@meshrelay/plugin-istio/fixture';
import { type ClusterSpec, expandFleet, sha256 } from '@meshrelay/plugin-kit';
import { buildFleet, type ComputedStatus, loadPlugins } from '@meshrelay/relay-core';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { type ClusterOf, effectIn, effectOf } from '../../src/istiod/effect.ts';
import { type Request, routeOf } from '../../src/istiod/envoy-request.ts';
import { type IstioFleet, processByIstiod, withWritten } from '../../src/istiod/fleet.ts';
import { CONTROL_PLANE, GATEWAY, gatewaySpec, meshOf } from '../../src/istiod/members.ts';
import { proxyOf } from '../../src/istiod/reported.ts';
import { type Call, type Caller, expectedAnswers, type Requested } from '../../src/istiod/requested.ts';
import { trafficSpecs } from '../../src/istiod/traffic-specs.ts';
import { isApplied, statusesOf } from '../../src/statuses.ts';

/** Number of random fleets. */
const RUNS = scaledRuns(50);
const SEED = Number(process.env['MESHRELAY_SEED'] ?? 20_261_124);
const HOME = 'cluster-1';
const OTHER = 'cluster-2';
const CLUSTERS = [HOME, OTHER];
const API = { name: 'api', namespace: 'shop', clusterName: HOME };

/** In each cluster. */
const CALLERS: readonly Caller[] = CLUSTERS.flatMap((cluster) => [
  { cluster, namespace: 'front', labels: { app: 'web', tier: 'front' } },
  { cluster, namespace: 'front', labels: { app: 'admin', tier: 'back' } },
  { cluster, namespace: 'batch', labels: { app: 'job', tier: 'back' } },
  { cluster, namespace: 'ops', labels: { app: 'tool', tier: 'front' } },
]);

const PATHS = ['/', '/a', '/a/', '/a/b', '/a/x.js', '/A', '/ab', '/b', '/b.js', '/c'];
const HEADERS: ReadonlyArray<Readonly<Record<string, string>>> = [
  {},
  { 'x-user': '' },
  { 'x-user': 'ann' },
  { 'x-user': 'bob', 'x-on': '1' },
];
const QUERIES: ReadonlyArray<Readonly<Record<string, string>>> = [{}, { q: '1' }, { q: '22', on: '' }];

const REQUESTS: readonly Request[] = PATHS.flatMap((path) =>
  ['GET', 'POST'].flatMap((method) =>
    HEADERS.flatMap((headers) => QUERIES.map((query) => ({ path, method, headers, query }))),
  ),
);

function callsFrom(cluster: string): Call[] {
  const callers = CALLERS.filter((caller) => caller.cluster === cluster);
  return callers.flatMap((caller) => REQUESTS.map((request) => ({ caller, request })));
}

/** Codes of reports about two routes that match the same requests. */
const OVERLAPS = new Set(['OVERLAPPING_MATCHERS', 'OVERLAP_NOT_ANALYSED', 'ROUTE_SHADOWED']);

const plugins = loadPlugins([{ module: 'istio', plugin: istioPlugin }]);

interface RandomCase {
  readonly policies: readonly TrafficPolicy[];
  readonly reported: ReadonlyMap<string, ComputedStatus>;
  readonly fleet: IstioFleet;
}

const PLAIN = { ports: ['http:80'] };
const FEDERATION = {
  VirtualMesh: 'all',
  spec: {
    meshes: CLUSTERS.map(meshOf),
    federation: { selectors: [{ destinationSelectors: [{ kubeServiceMatcher: { clusters: [HOME] } }] }] },
  },
};

function clusterSpec(cluster: string, position: number): ClusterSpec {
  const callers = CALLERS.filter((caller) => caller.cluster === cluster);
  return {
    istio: [CONTROL_PLANE],
    services: {
      [GATEWAY]: gatewaySpec('tls:15443', { loadBalancer: `198.51.100.${position}` }),
      ...(cluster === HOME ? { 'api.shop': PLAIN, 'other.shop': PLAIN, 'third.shop': PLAIN } : { 'away.shop': PLAIN }),
      ...Object.fromEntries(
        callers.map(({ namespace, labels }) => [`${labels['app']}.${namespace}`, { ...PLAIN, selector: labels }]),
      ),
    },
  };
}

function fleetOf(specs: readonly object[], at: number): RandomCase {
  const inputs = expandFleet(
    {
      about: 'requests',
      clusters: Object.fromEntries(CLUSTERS.map((cluster, position) => [cluster, clusterSpec(cluster, position + 1)])),
      management: [FEDERATION, ...specs.map((spec, position) => ({ TrafficPolicy: `p${position}`, spec }))],
    },
    { type: 'istio', fixture },
  );
  const plane = buildFleet({ ...inputs, plugins, hash: sha256 });
  const policies = inputs.management.filter((one): one is TrafficPolicy => one.kind === 'TrafficPolicy');
  const reported = statusesOf(plane, policies);
  return { policies, reported, fleet: { name: `fleet ${at}`, clusters: withWritten(inputs.clusters, plane) } };
}

function codesOf(status: ComputedStatus | undefined): string[] {
  return [...(status?.reports ?? []), ...(status?.targets ?? []).flatMap(({ reports }) => reports)].map(
    ({ code }) => code,
  );
}

test(`requests of ${RUNS} random fleets (seed ${SEED})`, () => {
  const cases = fc
    .sample(fc.array(trafficSpecs, { minLength: 1, maxLength: 4 }), { numRuns: RUNS, seed: SEED })
    .map(fleetOf);
  const seen = processByIstiod(cases.map(({ fleet }) => fleet));
  const wrong: string[] = [];
  let effects = 0;
  for (const [at, { policies, reported }] of cases.entries()) {
    const force = policies.filter(({ metadata }) => isApplied(reported.get(metadata.name)));
    const overlapping = new Set(
      force
        .map(({ metadata }) => metadata.name)
        .filter((name) => codesOf(reported.get(name)).some((code) => OVERLAPS.has(code))),
    );
    for (const {
      name,
      reported: { proxies },
    } of seen[at]?.clusters ?? []) {
      const calls = callsFrom(name);
      const requested = name === OTHER ? expectedAnswers(force, calls) : requestedWithoutAway(force, calls);
      for (const [position, call] of calls.entries()) {
        const { rules, by, disputed } = requested[position] as Requested;
        const expected = effectOf(rules, API, (service) => envoyCluster(service, name));
        const route = routeOf(
          proxyOf(proxies, appOf(call.caller), call.caller.namespace).routes ?? [],
          hostOf(API, name),
          80,
          call.request,
        );
        const found = route === undefined ? {} : effectIn(route);
        for (const field of new Set([...Object.keys(expected), ...Object.keys(found)])) {
          // If two routes match a request, the status reports which one applies; this test does not check it.
          if (by.get(field)?.some((policy) => overlapping.has(policy))) continue;
          effects += by.has(field) ? 1 : 0;
          if (disputed.includes(field))
            wrong.push(`${nameOf(at, call)}: policies differ about ${field}, and none has a report`);
          else if (found[field] !== expected[field])
            wrong.push(`${nameOf(at, call)}: asked for ${field} ${expected[field]}, done ${found[field]}`);
        }
      }
    }
  }
  assert.equal(wrong.slice(0, 5), []);
  assert.ok(effects > RUNS * CALLERS.length * REQUESTS.length * 0.5, `${effects} effects compared`);
});

/** A policy that would send any of the calls to an unreachable target has no effect on any of them. */
function requestedWithoutAway(policies: readonly TrafficPolicy[], calls: readonly Call[]): Requested[] {
  const requested = expectedAnswers(policies, calls);
  const heard = (name: string, target: string): boolean =>
    requested.some(({ from }) => from.get(target)?.includes(name));
  const left = policies.filter(
    ({ metadata: { name }, spec }) => !TARGETS.some((target) => isAway(spec.policy?.[target]) && heard(name, target)),
  );
  return left.length === policies.length ? requested : requestedWithoutAway(left, calls);
}

const TARGETS = ['mirror', 'trafficShift'] as const;

function isAway(target: unknown): boolean {
  return JSON.stringify(target ?? '').includes(OTHER);
}

/** As callers of a cluster know it. */
function hostOf({ name, namespace, clusterName }: typeof API, cluster: string): string {
  return `${name}.${namespace}.svc.${cluster === clusterName ? 'cluster.local' : `${clusterName}.global`}`;
}

function envoyCluster({ port = 80, ...service }: Parameters<ClusterOf>[0], cluster: string): string {
  return `outbound|${port}||${hostOf(service, cluster)}`;
}

function appOf({ labels }: Caller): string {
  return labels['app'] ?? '';
}

function nameOf(at: number, { caller, request }: Call): string {
  return `fleet ${at}, ${caller.labels['app']}.${caller.namespace} of ${caller.cluster}: ${JSON.stringify(request)}`;
}

test.run();
