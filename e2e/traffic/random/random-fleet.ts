/**
 * Random fleets of three clusters, of which two or three are members of a VirtualMesh: a federation, TrafficPolicies,
 * AccessPolicies, and calls that they affect.
 */
import type { Federation } from '@meshrelay/api';
import type { FleetSpec } from '@meshrelay/plugin-kit';
import fc from 'fast-check';
import { CALLERS, MATCHERS } from '../../src/istiod/traffic-specs.ts';
import { fleetClusters, LAST_FLEET } from '../scenario/scenario.ts';
import {
  API,
  APPLICATION_HEADER,
  AWAY,
  type Call,
  CLUSTERS,
  clientsIn,
  FAR,
  ORIGIN,
  OTHER,
  type Service,
  servicesIn,
  TRUST_DOMAINS,
} from './fleet.ts';

export interface RandomFleet {
  /** Members of the VirtualMesh; it does not affect the others' objects. */
  readonly members: readonly string[];
  readonly federation: Federation;
  /** Whether calls that no AccessPolicy allows are denied. */
  readonly closed: boolean;
  readonly traffic: readonly object[];
  readonly access: readonly object[];
  readonly calls: readonly Call[];
}

const one = fc.constantFrom;
const few = <T>(...items: readonly T[]): fc.Arbitrary<readonly T[]> => fc.subarray([...items], { maxLength: 2 });
/** Usually empty. */
const seldom = <T>(...items: readonly T[]): fc.Arbitrary<readonly T[]> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: few(...items) });

const meshOf = (cluster: string): object => ({ name: `istiod-istio-system-${cluster}`, namespace: 'meshrelay' });
const refTo = ({ name, cluster }: Service): object => ({ name, namespace: 'shop', clusterName: cluster });

const PATHS = ['/', '/a', '/a/', '/a/b', '/a/x.js', '/x.js/c', '/A', '/ab', '/b', '/b/c'];
const PATTERNS = ['/a', '/a*', '/a/*', '*.js', '*b', '/', '/*'];
const METHODS = ['GET', 'POST'];
const POD_PORTS = [8080, 8081];
/** Calls of which some are sent. */
const CALLS = 72;

/** Each target of a shift or a mirror names a port if its Service has several. */
function routeTargetsIn(clusters: readonly string[]): object[] {
  const all: ReadonlyArray<readonly [Service, object]> = [
    [API, { subset: { version: 'v1' } }],
    [API, { subset: { version: 'v2' } }],
    [API, {}],
    [OTHER, { port: 80 }],
    [OTHER, { port: 81 }],
    [AWAY, {}],
    [AWAY, { subset: { version: 'v2' } }],
    [FAR, {}],
  ];
  return all
    .filter(([{ cluster }]) => clusters.includes(cluster))
    .map(([service, more]) => ({ ...refTo(service), ...more }));
}

function shifts(clusters: readonly string[]): fc.Arbitrary<object> {
  const destination = fc
    .record({ kubeService: one(...routeTargetsIn(clusters)), weight: one(undefined, 1, 9, 0) })
    .map(({ kubeService, weight }) => ({ kubeService, ...(weight === undefined ? {} : { weight }) }));
  return fc
    .array(destination, { minLength: 1, maxLength: 3 })
    .filter((destinations) => destinations.some(({ weight }) => weight !== 0))
    .map((destinations) => ({ destinations }));
}

/** The policies of many fleets include one for every request to API, with shares that differ. */
function wideShifts(clusters: readonly string[]): fc.Arbitrary<readonly object[]> {
  const wide = fc.shuffledSubarray(routeTargetsIn(clusters), { minLength: 2, maxLength: 3 }).map((targets) => ({
    destinationSelector: [{ kubeServiceRefs: { services: [refTo(API)] } }],
    policy: {
      trafficShift: { destinations: targets.map((kubeService, at) => ({ kubeService, weight: at === 0 ? 9 : 1 })) },
    },
  }));
  return fc.oneof(
    fc.constant([]),
    wide.map((policy) => [policy]),
  );
}

function rules(clusters: readonly string[]): fc.Arbitrary<object> {
  const values: Readonly<Record<string, fc.Arbitrary<object | string>>> = {
    requestTimeout: one('300ms', '500ms'),
    retries: one({ attempts: 0 }, { attempts: 1, retryOn: ['5xx'] }, { attempts: 3, retryOn: ['5xx'] }),
    faultInjection: one<object>(
      { fixedDelay: '200ms' },
      { abort: { httpStatus: 418 } },
      { abort: { httpStatus: 418 }, percentage: 40 },
      { abort: { httpStatus: 418 }, percentage: 0 },
    ),
    mirror: fc
      .record({
        target: one(...routeTargetsIn(clusters).filter((target) => !('subset' in target))),
        percentage: one(...[undefined, undefined, undefined, undefined, undefined, undefined], ...[50, 0, 0]),
      })
      .map(({ target, percentage }) => {
        const { port, ...kubeService } = target as { readonly port?: number };
        return {
          kubeService,
          ...(port === undefined ? {} : { port }),
          ...(percentage === undefined ? {} : { percentage }),
        };
      }),
    headerManipulation: one<object>(
      { appendRequestHeaders: { 'x-tried': '1' }, appendResponseHeaders: { [APPLICATION_HEADER]: 'proxy' } },
      { appendRequestHeaders: { 'x-user': 'eve' }, removeResponseHeaders: [APPLICATION_HEADER] },
      { removeRequestHeaders: ['x-user'], appendResponseHeaders: { [APPLICATION_HEADER]: 'proxy' } },
      { removeRequestHeaders: ['x-user'], removeResponseHeaders: [APPLICATION_HEADER] },
    ),
    corsPolicy: one<object>(
      { allowOrigins: [{ exact: ORIGIN }] },
      { allowOrigins: [{ exact: ORIGIN }], allowCredentials: true },
      { allowOrigins: [{ exact: ORIGIN }], exposeHeaders: [APPLICATION_HEADER] },
      { allowOrigins: [{ exact: 'https://two.example' }] },
    ),
    trafficShift: shifts(clusters),
  };
  return fc
    .subarray(Object.keys(values), { minLength: 1, maxLength: 2 })
    .chain((fields) =>
      fc.record(Object.fromEntries(fields.map((field) => [field, values[field] as fc.Arbitrary<object>]))),
    );
}

function destinations(clusters: readonly string[]): fc.Arbitrary<readonly object[]> {
  const services = servicesIn(clusters);
  const named = (service: Service): object => ({ kubeServiceRefs: { services: [refTo(service)] } });
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant([named(API)]) },
    { weight: 3, arbitrary: one(...services).map((service) => [named(service)]) },
    { weight: 1, arbitrary: fc.subarray(services, { minLength: 2, maxLength: 2 }).map((some) => some.map(named)) },
    { weight: 1, arbitrary: one(...services).map(({ name }) => [{ kubeServiceMatcher: { labels: { app: name } } }]) },
    {
      weight: 1,
      arbitrary: one(...clusters).map((name) => [{ kubeServiceMatcher: { namespaces: ['shop'], clusters: [name] } }]),
    },
    { weight: 1, arbitrary: fc.constant([{ kubeServiceMatcher: { namespaces: ['shop'] } }]) },
  );
}

function trafficPolicies(clusters: readonly string[]): fc.Arbitrary<object> {
  return fc.record({
    destinationSelector: destinations(clusters),
    sourceSelector: fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      { weight: 2, arbitrary: fc.array(CALLERS, { maxLength: 2 }) },
    ),
    httpRequestMatchers: fc.oneof(fc.constant([]), fc.array(MATCHERS, { maxLength: 2 })),
    policy: rules(clusters),
  });
}

function sources(clusters: readonly string[]): fc.Arbitrary<object> {
  const account = fc
    .record({
      name: one('web', 'web', 'job', ''),
      namespace: one('front', 'batch', ''),
      clusterName: one('', ...clusters),
    })
    .map((fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')));
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant({}) },
    {
      weight: 3,
      arbitrary: fc
        .record({
          namespaces: seldom('front', 'batch'),
          clusters: seldom(...clusters),
          trustDomains: seldom(...clusters.map((name) => TRUST_DOMAINS[name] as string)),
        })
        .map((kubeIdentityMatcher) => ({ kubeIdentityMatcher })),
    },
    {
      weight: 3,
      arbitrary: fc
        .array(account, { minLength: 1, maxLength: 2 })
        .map((serviceAccounts) => ({ kubeServiceAccountRefs: { serviceAccounts } })),
    },
  );
}

/** Each is narrowed by one or two members: with more, none would decide the result of a call alone. */
function accessPolicies(clusters: readonly string[]): fc.Arbitrary<object> {
  const some = <T>(...items: readonly T[]): fc.Arbitrary<readonly T[]> =>
    fc.subarray([...items], { minLength: 1, maxLength: 2 });
  const members: Readonly<Record<string, fc.Arbitrary<readonly unknown[]>>> = {
    sourceSelector: fc.array(sources(clusters), { minLength: 1, maxLength: 2 }),
    allowedPaths: some(...PATTERNS),
    allowedMethods: one(...METHODS).map((method) => [method]),
    allowedPorts: one(...POD_PORTS).map((port) => [port]),
    notPaths: some(...PATTERNS.slice(0, 5)),
    notMethods: one(...METHODS).map((method) => [method]),
    notPorts: one(...POD_PORTS).map((port) => [port]),
  };
  const narrowed = fc
    .subarray(Object.keys(members), { minLength: 1, maxLength: 2 })
    .chain((names) =>
      fc.record(Object.fromEntries(names.map((name) => [name, members[name] as fc.Arbitrary<readonly unknown[]>]))),
    );
  return fc
    .record({
      destinationSelector: fc.oneof(
        { weight: 6, arbitrary: destinations(clusters) },
        { weight: 1, arbitrary: fc.constant([]) },
      ),
      unauthenticated: one(false, false, false, false, true),
      action: one(undefined, 'ALLOW', 'ALLOW', 'DENY', 'DENY', 'AUDIT'),
      narrowed: fc.oneof({ weight: 1, arbitrary: fc.constant({}) }, { weight: 9, arbitrary: narrowed }),
    })
    .map(({ unauthenticated, action, narrowed: some, ...rest }) => ({
      ...rest,
      ...some,
      ...(action === undefined ? {} : { action }),
      ...(unauthenticated ? { unauthenticated, sourceSelector: [] } : {}),
    }));
}

function federations(clusters: readonly string[]): fc.Arbitrary<Federation> {
  const selector = fc.record({
    destinationSelectors: fc.oneof(fc.constant([]), destinations(clusters)),
    meshes: few(...clusters).map((names) => names.map(meshOf)),
  });
  const spec = fc.oneof(
    { weight: 3, arbitrary: fc.constant({ mode: 'ALL' }) },
    {
      weight: 3,
      arbitrary: fc
        .array(selector, { minLength: 1, maxLength: 2 })
        .map((selectors) => ({ mode: 'SELECTED', selectors })),
    },
  );
  return fc
    .record({ spec, flatNetwork: one(false, false, false, true) })
    .map(({ spec: rest, flatNetwork }) => ({ ...rest, flatNetwork }) as Federation);
}

/** Requests that a given cluster may send. */
export function requestsOf(clusters: readonly string[]): fc.Arbitrary<Pick<Call, 'caller' | 'request'>> {
  return fc.record({
    caller: one(...clientsIn(clusters)),
    request: fc.record({
      path: one(...PATHS),
      method: one(...METHODS),
      headers: one<Readonly<Record<string, string>>>({}, { 'x-user': 'ann' }, { 'x-user': 'bob', 'x-on': '1' }),
      query: one<Readonly<Record<string, string>>>({}, { q: '1' }, { q: '22', on: '' }),
    }),
  });
}

function calls(clusters: readonly string[]): fc.Arbitrary<Call> {
  const targets = [API, API, ...servicesIn(clusters)].flatMap((service) =>
    Object.keys(service.ports).map((port) => ({ service, port: Number(port) })),
  );
  return fc
    .record({
      who: requestsOf(clusters),
      target: one(...targets),
      application: one<Call['application']>('at once', 'at once', 'at once', 'late', 1, 2, 4),
      federated: one(false, true),
    })
    .map(({ who, target, application, federated }) => ({
      ...{ ...who, ...target, application },
      federated: federated || target.service.cluster !== who.caller.cluster,
    }));
}

export const randomFleets: fc.Arbitrary<RandomFleet> = one(2, 2, 3).chain((count) => {
  const clusters = CLUSTERS.slice(0, count);
  return fc.record({
    members: fc.constant(clusters),
    federation: federations(clusters),
    closed: one(false, false, false, true),
    traffic: fc
      .tuple(fc.array(trafficPolicies(clusters), { minLength: 1, maxLength: 3 }), wideShifts(clusters))
      .map(([some, wide]) => [...some, ...wide]),
    access: fc.oneof(
      { weight: 1, arbitrary: fc.constant([]) },
      { weight: 5, arbitrary: fc.array(accessPolicies(clusters), { minLength: 1, maxLength: 3 }) },
    ),
    calls: fc.array(calls(clusters), { minLength: CALLS, maxLength: CALLS }),
  });
});

/** Each mesh has the trust domains of the others as aliases, with the user's consent. */
export function fleetSpec({ members, federation, closed, traffic, access }: RandomFleet): FleetSpec {
  return {
    about: 'random policies',
    clusters: fleetClusters(LAST_FLEET),
    management: [
      { Settings: 'settings', spec: { patches: { istio: { meshConfig: true } } } },
      {
        VirtualMesh: 'all',
        spec: {
          meshes: members.map(meshOf),
          mtlsConfig: { shared: {} },
          federation,
          globalAccessPolicy: closed ? 'ENABLED' : 'DISABLED',
        },
      },
      ...traffic.map((spec, at) => ({ TrafficPolicy: `traffic-${at}`, spec })),
      ...access.map((spec, at) => ({ AccessPolicy: `access-${at}`, spec })),
    ],
  };
}
