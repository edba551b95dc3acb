/** The rules that can meet on one Service's traffic, each with a value, and with another where two values of it contradict each other. */
import type { ViewField } from '@meshrelay/relay-core';
import { access, traffic, virtualDestination, virtualMesh } from '../../capability/probe.ts';
import type { PolicySpec } from '../../fleet/policy-object.ts';

/** A rule for the traffic of the destination that probes are about. */
export interface Rule {
  /** Carried where the plugin's table says neither that it is unsupported nor that it is always so. */
  readonly field: ViewField;
  /** The policy that says it; `name` is the policy's. */
  readonly said: (name: string) => PolicySpec;
  /** What it is in `spec.policy` of a TrafficPolicy; omitted: a policy of its own. */
  readonly part?: Readonly<Record<string, unknown>>;
  /** The same rule with another value, which cannot be in force beside the first; omitted: any number of such policies are. */
  readonly contradicted?: (name: string) => PolicySpec;
  /** True: the ways to its goals stay open where it contradicts another. They hang on no caller, or one cluster's callers would change another's gateways. */
  readonly waysRemain?: boolean;
}

const NEW_BOOKS = { name: 'new-books', namespace: 'shop', clusterName: 'cluster-1' };

/** Some rules in one TrafficPolicy. */
export function trafficPolicy(name: string, policy: object): PolicySpec {
  return { ...traffic({ policy }), TrafficPolicy: name };
}

/** What a rule may say in `spec.policy`. */
interface Values {
  readonly one: unknown;
  readonly other: unknown;
}

function inTraffic(field: ViewField, name: string, { one, other }: Values): Rule {
  return {
    field,
    part: { [name]: one },
    said: (policy) => trafficPolicy(policy, { [name]: one }),
    contradicted: (policy) => trafficPolicy(policy, { [name]: other }),
  };
}

function shift(weight: number): object {
  const books = { ...NEW_BOOKS, name: 'books' };
  return {
    destinations: [
      { weight, kubeService: books },
      { weight: 100 - weight, kubeService: NEW_BOOKS },
    ],
  };
}

function ofAccess(field: ViewField, action: string, names: readonly string[]): Rule {
  return { field, said: (name) => ({ ...access({ action, sourceSelector: callers(names) }), AccessPolicy: name }) };
}

function callers(names: readonly string[]): readonly object[] {
  const serviceAccounts = names.map((name) => ({ name, namespace: 'shop', clusterName: 'cluster-1' }));
  return [{ kubeServiceAccountRefs: { serviceAccounts } }];
}

/** Names of one hostname contradict each other. */
function ofName(field: ViewField, hostname: string): Rule {
  const goal = { kubeService: { name: 'books', namespace: 'shop', clusterName: 'cluster-1' } };
  const named = (spec: Readonly<Record<string, unknown>>) => (name: string) => ({
    ...virtualDestination({ hostname, ...spec }),
    VirtualDestination: name,
  });
  return { field, said: named({}), contradicted: named({ static: { destinations: [goal] } }), waysRemain: true };
}

/** All of them; each field of `spec.policy` and each action of an AccessPolicy has one. */
export const RULES: readonly Rule[] = [
  inTraffic('route.timeout', 'requestTimeout', { one: '7s', other: '8s' }),
  inTraffic('route.retries', 'retries', {
    one: { attempts: 4, perTryTimeout: '2s' },
    other: { attempts: 5, perTryTimeout: '2s' },
  }),
  inTraffic('route.fault', 'faultInjection', {
    one: { fixedDelay: '3s', percentage: 10 },
    other: { fixedDelay: '3s', percentage: 20 },
  }),
  inTraffic('route.cors', 'corsPolicy', {
    one: { allowOrigins: [{ exact: 'https://a.example' }] },
    other: { allowOrigins: [{ exact: 'https://b.example' }] },
  }),
  inTraffic('route.mirror', 'mirror', {
    one: { kubeService: NEW_BOOKS, percentage: 50 },
    other: { kubeService: NEW_BOOKS, percentage: 51 },
  }),
  inTraffic('route.headers', 'headerManipulation', {
    one: { appendRequestHeaders: { 'x-seen': 'yes' } },
    other: { appendRequestHeaders: { 'x-seen': 'no' } },
  }),
  inTraffic('route.shift', 'trafficShift', { one: shift(63), other: shift(64) }),
  inTraffic('route.csrf', 'csrf', { one: { filterEnabled: true, percentage: 41 }, other: { filterEnabled: false } }),
  inTraffic('route.localRateLimit', 'localRateLimit', {
    one: { requestsPerUnit: 31, unit: 'SECOND' },
    other: { requestsPerUnit: 32, unit: 'SECOND' },
  }),
  inTraffic('connection.mtls', 'mtls', {
    one: { istio: { tlsMode: 'DISABLE' } },
    other: { istio: { tlsMode: 'SIMPLE' } },
  }),
  inTraffic('connection.outlierDetection', 'outlierDetection', {
    one: { consecutiveErrors: 6 },
    other: { consecutiveErrors: 7 },
  }),
  inTraffic('connection.pool', 'connectionPool', {
    one: { tcp: { maxConnections: 11 } },
    other: { tcp: { maxConnections: 12 } },
  }),
  ofAccess('access.allow', 'ALLOW', ['buyer']),
  ofAccess('access.deny', 'DENY', ['books']),
  ofAccess('access.audit', 'AUDIT', ['buyer', 'books']),
  ofName('virtualDestination.static', 'books.anywhere'),
];

/** Beside every rule: a VirtualMesh for names, and a caller, as some meshes do things for each caller they know of. */
export const BESIDE: readonly PolicySpec[] = [
  virtualMesh({}),
  { ...access({ sourceSelector: callers(['new-books']) }), AccessPolicy: 'beside' },
];
