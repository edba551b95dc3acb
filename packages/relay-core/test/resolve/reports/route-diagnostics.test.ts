/**
 * Reports on routes without a path to their target: PENDING if no part of the policy is effective, DEGRADED otherwise.
 */
import type { KubeObject, TrafficRules } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import { BASE } from '../../support/base-fleet.ts';
import { canonicalJson, key } from '../../support/core.ts';
import { planeOf } from '../../support/fleet-states.ts';
import type { Placed } from '../../support/placed.ts';

/** Only `b` of c1 is federated, so callers of c2 cannot reach `a` of c1. */
const FLEET: readonly Placed[] = BASE.map(({ cluster, object }) => {
  if (object.kind !== 'VirtualMesh') return { cluster, object };
  const selector = { kubeServiceRefs: { services: [{ name: 'b', namespace: 'y', clusterName: 'c1' }] } };
  const { spec } = object as unknown as { readonly spec: { readonly federation: object } };
  const federation = { selectors: [{ destinationSelectors: [selector] }] };
  return { cluster, object: { ...object, spec: { ...spec, federation } } as unknown as KubeObject };
});

/** Sends all requests to `a` of a cluster. */
function shiftTo(clusterName: string, port?: number): TrafficRules {
  const kubeService = { name: 'a', namespace: 'x', clusterName, ...(port === undefined ? {} : { port }) };
  return { trafficShift: { destinations: [{ weight: 100, kubeService }] } };
}

const SHIFT = shiftTo('c1');
const PLAINTEXT: TrafficRules = { mtls: { istio: { tlsMode: 'DISABLE' } } };

function policyOf(callers: readonly string[], policy: TrafficRules, home: string, name = 'p'): Placed {
  const object = {
    apiVersion: 'networking.meshrelay.dev/v1alpha1',
    kind: 'TrafficPolicy',
    metadata: { name, namespace: 'n' },
    spec: {
      destinationSelector: [{ kubeServiceRefs: { services: [{ name: 'b', namespace: 'y', clusterName: 'c1' }] } }],
      sourceSelector: callers.length === 0 ? [] : [{ kubeWorkloadMatcher: { clusters: callers } }],
      policy,
    },
  };
  return { cluster: home, object: object as unknown as KubeObject };
}

/**
 * Status of the policy, and the number of objects that name it. The fake plugin records the source policies of each
 * value of a view.
 */
function reported(callers: readonly string[], policy: TrafficRules, { fleet = FLEET, home = '' } = {}) {
  const { statuses, desired } = planeOf([...fleet, policyOf(callers, policy, home)]);
  const status = [...statuses.entries()].map(([, one]) => one).find(({ ref }) => ref.name === 'p')?.status;
  const outputs = [...desired.entries()].filter(([, one]) => canonicalJson(one).includes('"name":"p"'));
  const reports = status?.targets.flatMap((target) => target.reports) ?? [];
  return {
    state: status?.state,
    reports: reports.map(({ code, severity }) => `${code} ${severity}`),
    message: reports[0]?.message ?? '',
    outputs: outputs.length,
  };
}

test('a route without any caller is pending', () => {
  const { state, reports, outputs } = reported(['c2'], SHIFT);
  assert.is(state, 'PENDING');
  assert.equal(reports, ['NOT_FEDERATED error']);
  assert.is(outputs, 0);
});

test('a route that some callers have is not pending', () => {
  const { state, reports, message, outputs } = reported([], SHIFT);
  assert.is(state, 'DEGRADED');
  assert.equal([...new Set(reports)], ['NOT_FEDERATED warning']);
  assert.match(message, /until then the policy does not apply to callers in cluster c[23]$/);
  assert.ok(outputs > 0);
});

test('a route without callers is not pending if connection settings of its policy apply to others', () => {
  const { state, reports, message, outputs } = reported(['c2'], { ...SHIFT, ...PLAINTEXT });
  assert.is(state, 'DEGRADED');
  assert.equal(reports, ['NOT_FEDERATED warning']);
  assert.match(message, /until then the policy does not apply to callers in cluster c2$/);
  assert.ok(outputs > 0);
});

test('if the settings would apply to those callers only, the whole policy is pending', () => {
  const { state, reports, outputs } = reported([], { ...shiftTo('c2'), ...PLAINTEXT }, { home: 'c1' });
  assert.is(state, 'PENDING');
  assert.equal(reports, ['NOT_FEDERATED error']);
  assert.is(outputs, 0);
});

test('a route that cannot be generated for any caller does not hide that connection settings apply', () => {
  const { state, reports, outputs } = reported(['c2'], { ...shiftTo('c1', 81), ...PLAINTEXT }, { fleet: BASE });
  assert.is(state, 'DEGRADED');
  assert.equal(reports, ['AMBIGUOUS_PORT warning']);
  assert.ok(outputs > 0);
});

/**
 * The reports for `p`, which applies to all callers, next to a policy for those of c1 only, and the timeout of the
 * latter.
 */
function beside(other: TrafficRules, policy: TrafficRules) {
  const fleet = [...FLEET, policyOf(['c1'], other, '', 'narrow')];
  const plane = planeOf([...fleet, policyOf([], policy, '')]);
  const view = plane.resolved.destinationViews.get(key('c1', 'y', 'b'));
  const timeouts = view?.routes.map(({ actions }) => actions.timeoutMs?.value) ?? [];
  return { ...reported([], policy, { fleet }), timeouts };
}

test('a policy reports which policy overrides it for callers of one cluster', () => {
  const { state, reports, message, timeouts } = beside({ requestTimeout: '1s' }, { requestTimeout: '9s' });
  assert.is(state, 'ACCEPTED');
  assert.equal(reports, ['OVERRIDDEN info']);
  assert.match(message, /^callers in cluster c1 use the requestTimeout of TrafficPolicy n\/narrow instead/);
  assert.equal(timeouts, [1000]);
  assert.equal(beside({ requestTimeout: '1s' }, { requestTimeout: '1000ms' }).reports, []);
});

test('while the policy for callers of one cluster is pending, the policy for all applies to them', () => {
  const { state, reports, timeouts } = beside({ ...shiftTo('c2'), requestTimeout: '1s' }, { requestTimeout: '9s' });
  assert.is(state, 'ACCEPTED');
  assert.equal(reports, []);
  assert.equal(timeouts, [9000]);
});

test('meanwhile the policy for all may be pending for them too, and reports it', () => {
  const { reports, message } = beside(shiftTo('c2'), { ...shiftTo('c3'), requestTimeout: '9s' });
  assert.equal([...new Set(reports)], ['NOT_FEDERATED warning']);
  assert.match(message, /Service x\/a of cluster c3/);
});

test.run();
