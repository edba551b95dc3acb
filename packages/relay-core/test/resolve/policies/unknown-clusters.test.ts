/** Selectors and references report misspelled cluster names; the valid rest still applies. */
import type { KubeObject } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import { BASE } from '../../support/base-fleet.ts';
import { type ControlPlane, key } from '../../support/core.ts';
import { apply, emptyPlane } from '../../support/fleet-states.ts';

const MEANT = 'no cluster c-1 is registered (did you mean c1?); nothing is selected there until it is registered';

function planeWith(kind: string, spec: unknown, cluster = ''): ControlPlane {
  const plane = emptyPlane();
  plane.graph.commit((transaction) => {
    for (const name of ['c1', 'c2'])
      transaction.set(plane.fleetState.clusters, key(name), { name, domain: 'cluster.local', suspended: false });
  });
  const group = ['AccessLogRecord', 'WasmDeployment'].includes(kind) ? 'extensions' : 'networking';
  const metadata = { name: 'p', namespace: 'policies' };
  const object = { apiVersion: `${group}.meshrelay.dev/v1alpha1`, kind, metadata, spec } as unknown as KubeObject;
  apply(
    plane,
    [...BASE, { cluster, object }].map((one) => ({ ...one, gone: false })),
  );
  return plane;
}

function reported(kind: string, spec: unknown): { state: string | undefined; targets: number; reports: string[][] } {
  const status = planeWith(kind, spec).statuses.get(key(kind, '', 'policies', 'p'))?.status;
  const reports = (status?.reports ?? []).map(({ code, field = '', message }) => [code, field, message]);
  return { state: status?.state, targets: status?.targetCount ?? 0, reports };
}

test('a selector with an unregistered cluster suggests the similar name', () => {
  const destinationSelector = [{ kubeServiceMatcher: { clusters: ['c-1'] } }];
  const field = 'spec.destinationSelector[0].kubeServiceMatcher.clusters[0]';
  assert.equal(reported('TrafficPolicy', { destinationSelector, policy: { requestTimeout: '1s' } }), {
    state: 'ACCEPTED',
    targets: 0,
    reports: [['UNKNOWN_CLUSTER', field, MEANT]],
  });
  assert.equal(reported('AccessPolicy', { destinationSelector }).reports, [['UNKNOWN_CLUSTER', field, MEANT]]);
});

test('destinations of the other clusters are still selected', () => {
  const destinationSelector = [
    { kubeServiceMatcher: { clusters: ['c1', 'nowhere-like-it'], labels: { tier: 'front' } } },
  ];
  const { state, targets, reports } = reported('TrafficPolicy', {
    destinationSelector,
    policy: { requestTimeout: '1s' },
  });
  assert.is(state, 'ACCEPTED');
  assert.ok(targets > 0);
  assert.equal(reports, [
    [
      'UNKNOWN_CLUSTER',
      'spec.destinationSelector[0].kubeServiceMatcher.clusters[1]',
      'no cluster nowhere-like-it is registered; nothing is selected there until it is registered',
    ],
  ]);
});

test('selectors of every kind are checked', () => {
  const kubeServiceMatcher = { clusters: ['c-1'] };
  const kubeWorkloadMatcher = { clusters: ['c-1'] };
  const kinds: ReadonlyArray<readonly [string, unknown, string]> = [
    [
      'TrafficPolicy',
      { sourceSelector: [{ kubeWorkloadMatcher }], policy: { requestTimeout: '1s' } },
      'spec.sourceSelector[0].kubeWorkloadMatcher',
    ],
    [
      'VirtualDestination',
      {
        hostname: 'a.global',
        port: { number: 80, protocol: 'HTTP' },
        virtualMesh: { name: 'vm', namespace: 'policies' },
        localized: { destinationSelectors: [{ kubeServiceMatcher }] },
      },
      'spec.localized.destinationSelectors[0].kubeServiceMatcher',
    ],
    [
      'VirtualMesh',
      {
        meshes: [{ name: 'cp', namespace: 'meshrelay' }],
        federation: { selectors: [{ destinationSelectors: [{ kubeServiceMatcher }] }] },
      },
      'spec.federation.selectors[0].destinationSelectors[0].kubeServiceMatcher',
    ],
    [
      'AccessLogRecord',
      { workloadSelectors: [{ kubeWorkloadMatcher }] },
      'spec.workloadSelectors[0].kubeWorkloadMatcher',
    ],
  ];
  for (const [kind, spec, path] of kinds) {
    const unknown = reported(kind, spec).reports.filter(([code]) => code === 'UNKNOWN_CLUSTER');
    assert.equal(unknown, [['UNKNOWN_CLUSTER', `${path}.clusters[0]`, MEANT]], kind);
  }
});

test('a reference to a Service of an unregistered cluster is pending, and suggests the similar name', () => {
  const services = [{ name: 'a', namespace: 'x', clusterName: 'c-1' }];
  const spec = { destinationSelector: [{ kubeServiceRefs: { services } }], policy: { requestTimeout: '1s' } };
  assert.equal(reported('TrafficPolicy', spec), {
    state: 'PENDING',
    targets: 0,
    reports: [
      [
        'REF_NOT_FOUND',
        'spec.destinationSelector[0].kubeServiceRefs.services[0]',
        'no Service x/a is known in cluster c-1, which is not registered (did you mean c1?); it takes effect when the Service exists',
      ],
    ],
  });
});

test('a name with another number is not a misspelling', () => {
  const destinationSelector = [{ kubeServiceMatcher: { clusters: ['c9'] } }];
  const [report] = reported('TrafficPolicy', { destinationSelector, policy: { requestTimeout: '1s' } }).reports;
  assert.is(report?.[2], 'no cluster c9 is registered; nothing is selected there until it is registered');
});

test('a policy of a workload cluster gets no names of clusters in its reports', () => {
  const destinationSelector = [{ kubeServiceMatcher: { clusters: ['c-2'] } }];
  const spec = { destinationSelector, policy: { requestTimeout: '1s' } };
  const status = planeWith('TrafficPolicy', spec, 'c1').statuses.get(
    key('TrafficPolicy', 'c1', 'policies', 'p'),
  )?.status;
  assert.equal(
    status?.reports.map(({ code }) => code),
    ['REF_NOT_PERMITTED'],
  );
});

test.run();
