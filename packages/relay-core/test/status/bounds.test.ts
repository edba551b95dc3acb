/** No status exceeds its size limit, whatever it reports. */
import { MAX_STATUS_BYTES, MAX_STATUS_TARGETS, type PolicyState } from '@meshrelay/api';
import type { DestinationView, Output } from '@meshrelay/plugin';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { type ComputedStatus, truncated } from '../../src/mod.ts';
import { computedBounds } from '../../src/status/bounds.ts';
import { fakePlugin } from '../support/fake-plugin.ts';
import { planeOf } from '../support/fleet-states.ts';
import type { Placed } from '../support/placed.ts';

const bytes = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

const name = fc.integer({ min: 1, max: 253 }).map((length) => 'n'.repeat(length));
const words = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc
    .tuple(fc.constantFrom('a', 'é', '€', '😀', '"', '\u0001', '\n'), fc.integer({ min: 0, max: 9000 }))
    .map(([one, times]) => one.repeat(times)),
);
const ref = fc.record({ kind: fc.constant('Destination'), name, namespace: name, cluster: name });
const report = fc.record(
  {
    code: fc.constant('CODE'),
    severity: fc.constantFrom('error' as const, 'warning' as const, 'info' as const),
    message: words,
    field: words,
    related: fc.array(ref, { maxLength: 10 }),
  },
  { requiredKeys: ['code', 'severity', 'message'] },
);
const state = fc.constantFrom<PolicyState>('ACCEPTED', 'DEGRADED', 'FAILED');
const target = fc
  .record({ ref, state, reports: fc.array(report, { maxLength: 5 }) })
  .map(({ ref: named, ...rest }) => ({ ...named, ...rest }));
const common = {
  observedGeneration: fc.nat(),
  state,
  conditions: fc.array(
    fc.record({
      type: fc.constant('Applied'),
      status: fc.constant('True' as const),
      reason: fc.constant('R'),
      message: words,
    }),
    { maxLength: 2 },
  ),
  targetCount: fc.constant(10_000),
  targets: fc.array(target, { maxLength: MAX_STATUS_TARGETS }),
  reports: fc.array(report, { maxLength: 20 }),
};
const selectedDestinations = fc.array(fc.record({ name, namespace: name, clusterName: name }), { maxLength: 20 });
const workloads = fc.array(
  fc.record({
    cluster: name,
    namespace: name,
    name,
    state: fc.constant('FAILED' as const),
    pending: fc.nat(),
    failed: fc.nat(),
  }),
  { maxLength: 20 },
);
const rollout = fc.record({ deployed: fc.nat(), pending: fc.nat(), failed: fc.nat(), workloads });
const status: fc.Arbitrary<ComputedStatus> = fc.oneof(
  fc.record(common),
  fc.record({ ...common, address: fc.constant('240.0.0.1'), selectedDestinations }),
  fc.record({ ...common, rollout }),
);

test('every status fits, with its times, and keeps the first entries of each list', () => {
  fc.assert(
    fc.property(status, (whole) => {
      const small = truncated(whole);
      const timed = small.conditions.map((one) => ({ ...one, lastTransitionTime: '2026-01-01T00:00:00.000Z' }));
      assert.ok(bytes({ ...small, conditions: timed }) <= MAX_STATUS_BYTES, `${bytes(small)} bytes`);
      assert.is(small.targetCount, whole.targetCount);
      assert.is(small.reports.length > 0, whole.reports.length > 0);
      assert.is(small.targets.length > 0, whole.targets.length > 0);
      small.targets.forEach((one, index) => {
        assert.is(one.name, whole.targets[index]?.name);
        assert.is(one.reports.length > 0, (whole.targets[index]?.reports.length ?? 0) > 0, 'it says why');
      });
      assert.is((small.selectedDestinations ?? []).length > 0, (whole.selectedDestinations ?? []).length > 0);
      assert.is((small.rollout?.workloads ?? []).length > 0, (whole.rollout?.workloads ?? []).length > 0);
      assert.is(small.rollout?.failed, whole.rollout?.failed);
    }),
    { numRuns: scaledRuns(100) },
  );
});

const outcome = fc.record({
  type: fc.constantFrom('Applied', 'Stale'),
  status: fc.constant('False' as const),
  reason: fc.constant('NotYetApplied'),
  message: words,
});

test('conditions added by a host leave all other fields as computed offline', () => {
  fc.assert(
    fc.property(status, fc.array(outcome, { minLength: 1, maxLength: 2 }), (whole, outcomes) => {
      const { conditions, ...offline } = computedBounds(whole);
      const { conditions: all, ...reported } = truncated({ ...offline, conditions: [...conditions, ...outcomes] });
      assert.equal(reported, offline);
      assert.is(all.length, conditions.length + outcomes.length);
    }),
    { numRuns: scaledRuns(300) },
  );
});

test('a long condition is cut, and no report is dropped if there is space', () => {
  const reports = Array.from({ length: 10 }, (_, index) => {
    return { code: `CODE_${index}`, severity: 'warning' as const, message: 'long '.repeat(120) };
  });
  const whole = { observedGeneration: 1, state: 'ACCEPTED' as const, conditions: [], targets: [], reports };
  const offline = computedBounds(whole);
  assert.is(offline, whole);
  const waits = { type: 'Applied', status: 'False', reason: 'Waits', message: 'cluster '.repeat(500) } as const;
  assert.equal(truncated({ ...offline, conditions: [waits] }).reports, reports);
});

test('a status that fits stays unchanged', () => {
  fc.assert(
    fc.property(status, (whole) => {
      const fits = bytes(whole) + 64 * whole.conditions.length <= MAX_STATUS_BYTES;
      assert.is(truncated(whole) === whole, fits);
    }),
    { numRuns: scaledRuns(100) },
  );
});

test('reports that explain a state come before informational ones', () => {
  const report = (severity: 'error' | 'warning' | 'info') => ({ code: severity.toUpperCase(), severity, message: 'm' });
  const reports = [report('info'), report('info'), report('warning'), report('error')];
  const { targets, reports: reported } = truncated({
    observedGeneration: 1,
    state: 'PENDING',
    conditions: [],
    targets: [{ kind: 'Destination', cluster: 'c', namespace: 'n', name: 'd', state: 'PENDING', reports }],
    reports: [
      ...Array.from({ length: 20 }, () => ({ ...report('info'), message: 'long '.repeat(200) })),
      report('warning'),
      report('error'),
    ],
  });
  assert.equal(
    reported.slice(0, 3).map(({ code }) => code),
    ['ERROR', 'WARNING', 'INFO'],
  );
  assert.equal(
    targets[0]?.reports.map(({ code }) => code),
    ['ERROR', 'WARNING'],
  );
});

const SERVICES = 10_000;
const long = (index: number): string => `s${index}-`.padEnd(63, 'x');

function object(group: string, kind: string, cluster: string, named: string, spec: unknown): Placed {
  const metadata = { name: named, namespace: 'shop'.padEnd(60, 'x') };
  return { cluster, object: { apiVersion: `${group}.meshrelay.dev/v1alpha1`, kind, metadata, spec } as never };
}

test('a policy on ten thousand destinations with long names and long messages', () => {
  const sound = fakePlugin();
  const plugin = fakePlugin({
    assemble: () => ({ apiVersion: 'fake.example/v1', kind: 'Bag', metadata: { name: 'bag', namespace: 'fake' } }),
    translateDestination(view: DestinationView, out: Output) {
      sound.plugin.translateDestination?.(view, out, undefined);
      const message = `${view.destination.name} ${'is not what it should be '.repeat(100)}`;
      for (const policy of view.connection.pool?.from ?? [])
        for (const code of ['ONE', 'TWO', 'THREE']) out.report(policy, { code, severity: 'warning', message });
    },
  });
  const cluster = 'c1'.padEnd(60, 'x');
  const mesh = object('discovery', 'Mesh', cluster, 'cp', {
    type: 'fake',
    cluster,
    installation: { namespace: 'fake' },
    trustDomain: 'td',
  });
  const namespace = mesh.object.metadata.namespace ?? '';
  const services = Array.from({ length: SERVICES }, (_, index) =>
    object('discovery', 'Destination', cluster, long(index), {
      kubeService: {
        ref: { name: long(index), namespace, clusterName: cluster },
        labels: { all: 'yes' },
        workloadSelectorLabels: { app: 'a' },
        ports: [{ port: 80, name: 'http', protocol: 'TCP' }],
        serviceType: 'CLUSTER_IP',
      },
      mesh: { name: 'cp', namespace },
    }),
  );
  const policies = [
    object('networking', 'TrafficPolicy', '', 'selecting', {
      destinationSelector: [{ kubeServiceMatcher: { labels: { all: 'yes' } } }],
      policy: { connectionPool: { tcp: { maxConnections: 1 } } },
    }),
    object('networking', 'TrafficPolicy', '', 'everything', {
      policy: { connectionPool: { tcp: { maxConnections: 1 } } },
    }),
  ];
  const plane = planeOf([mesh, ...services, ...policies], plugin);
  assert.is(plane.statuses.size, 2);
  for (const [, evaluated] of plane.statuses.entries()) {
    assert.ok(bytes(evaluated.status) <= MAX_STATUS_BYTES, `${bytes(evaluated.status)} bytes`);
    assert.ok(bytes(evaluated.status) > MAX_STATUS_BYTES / 2, 'what room there is is used');
    assert.is(evaluated.status.targetCount, SERVICES);
    assert.is(evaluated.status.state, 'DEGRADED');
    assert.ok(evaluated.status.targets.every(({ reports }) => reports.length > 0));
  }
});

test.run();
