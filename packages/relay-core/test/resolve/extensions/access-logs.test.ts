/** AccessLogRecords and workloads: selection, the merge of several records, and reports. */
import type { KubeObject } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import { BASE, WORKLOADS } from '../../support/base-fleet.ts';
import { describingPlugin, fakePlugin } from '../../support/fake-plugin.ts';
import { CLUSTERS } from '../../support/fleet-objects.ts';
import { apply, emptyPlane, planeOf } from '../../support/fleet-states.ts';
import type { Placed } from '../../support/placed.ts';

function record(name: string, spec: object, { cluster = '', namespace = 'meshrelay' } = {}): Placed {
  const object = {
    apiVersion: 'extensions.meshrelay.dev/v1alpha1',
    kind: 'AccessLogRecord',
    metadata: { name, namespace },
    spec,
  };
  return { cluster, object: object as unknown as KubeObject };
}

const selecting = (matcher: object): object => ({ workloadSelectors: [{ kubeWorkloadMatcher: matcher }] });
const ref = (name: string) => ({ kind: 'AccessLogRecord', cluster: '', namespace: 'meshrelay', name });

/** Sheets of the fake mesh, by cluster and name. */
function sheets(plane: ReturnType<typeof planeOf>, what: string): Record<string, unknown> {
  const found = [...plane.desired.entries()].flatMap(([, { cluster, object }]) =>
    object.metadata.name.startsWith(what)
      ? [[`${cluster} ${object.metadata.name}`, (object['spec'] as { view: unknown }).view] as const]
      : [],
  );
  return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function statusOf(plane: ReturnType<typeof planeOf>, name: string) {
  const found = [...plane.statuses.entries()].find(([, one]) => one.ref.name === name);
  if (found === undefined) throw new Error(`no status of ${name}`);
  return found[1].status;
}

/** Targets are listed for registered clusters only. */
const REGISTERED = CLUSTERS.map((name): Placed => {
  const object = {
    apiVersion: 'multicluster.meshrelay.dev/v1alpha1',
    kind: 'KubernetesCluster',
    metadata: { name, namespace: 'meshrelay' },
    spec: {},
  };
  return { cluster: '', object: object as unknown as KubeObject };
});

const FLEET = [...BASE, ...REGISTERED, ...WORKLOADS];

test('a record applies to the workloads it selects, and to no others', () => {
  const plane = planeOf([...FLEET, record('one', selecting({ labels: { app: 'a' }, clusters: ['c1', 'c2'] }))]);
  assert.equal(Object.keys(sheets(plane, 'extensions.')), ['c1 extensions.a.deployment', 'c2 extensions.a.deployment']);
  assert.equal(Object.keys(sheets(plane, 'mesh-extensions.')), ['c1 mesh-extensions.cp', 'c2 mesh-extensions.cp']);
  const { state, targetCount, targets } = statusOf(plane, 'one');
  assert.is(state, 'ACCEPTED');
  assert.is(targetCount, 2);
  assert.equal(
    targets.map(({ kind, cluster, namespace, name }) => `${kind} ${cluster}/${namespace}/${name}`),
    ['Workload c1/x/a-deployment', 'Workload c2/x/a-deployment'],
  );
});

test('several records apply side by side, and equal ones are merged', () => {
  const errors = { filters: [{ statusCodeMatcher: { value: 500, comparator: 'GE' } }] };
  const plane = planeOf([
    ...FLEET,
    record('b', { ...selecting({ labels: { app: 'b' } }), ...errors, includedRequestHeaders: ['X-Id', 'x-id', 'A'] }),
    record('a', { ...errors, includedRequestHeaders: ['a', 'x-id'] }),
    record('c', {}),
  ]);
  const { accessLog } = sheets(plane, 'extensions.b')['c1 extensions.b.deployment'] as { accessLog: unknown };
  const none = { responseHeaders: [], responseTrailers: [], filterState: [] };
  assert.equal(accessLog, [
    {
      filters: [{ status: { value: 500, comparator: 'GE' } }],
      requestHeaders: ['a', 'x-id'],
      ...none,
      from: [ref('a'), ref('b')],
    },
    { filters: [], requestHeaders: [], ...none, from: [ref('c')] },
  ]);
});

test('records are in the order of the ledger', () => {
  const ledger = {
    cluster: '',
    object: {
      apiVersion: 'admin.meshrelay.dev/v1alpha1',
      kind: 'Ledger',
      metadata: { name: 'turns', namespace: 'meshrelay' },
      spec: { policies: [{ ...ref('z'), sequence: 1 }] },
    } as unknown as KubeObject,
  };
  const plane = planeOf([...FLEET, ledger, record('a', {}), record('z', { includedRequestHeaders: ['z'] })]);
  const { accessLog } = sheets(plane, 'extensions.b')['c1 extensions.b.deployment'] as {
    accessLog: ReadonlyArray<{ from: unknown }>;
  };
  assert.equal(
    accessLog.map(({ from }) => from),
    [[ref('z')], [ref('a')]],
  );
});

test('fields that the mesh does not support are omitted, with a report to the record on each workload', () => {
  const headers = { filters: [{ headerMatcher: { name: 'x-debug' } }] };
  const plane = planeOf([
    ...FLEET,
    record('trailers', { ...selecting({ labels: { app: 'b' } }), includedResponseTrailers: ['grpc-status'] }),
    record('headers', { ...selecting({ labels: { app: 'b' } }), ...headers }),
  ]);
  const { accessLog } = sheets(plane, 'extensions.b')['c1 extensions.b.deployment'] as { accessLog: unknown[] };
  assert.is(accessLog.length, 1);
  for (const [name, field] of [
    ['trailers', 'spec.includedResponseTrailers'],
    ['headers', 'spec.filters'],
  ] as const) {
    const { state, targets } = statusOf(plane, name);
    assert.is(state, 'DEGRADED');
    assert.equal(
      targets.map(({ kind, reports }) => [kind, reports.map((report) => [report.code, report.field])]),
      [['Workload', [['UNSUPPORTED', field]]]],
    );
  }
});

test('a workload without a mesh is reported as info, unless all are without', () => {
  const outside = WORKLOADS.map(({ cluster, object }) => {
    const { mesh: _, ...spec } = (object as KubeObject & { spec: { mesh: unknown } }).spec;
    return { cluster, object: { ...object, spec } as KubeObject };
  });
  const alone = statusOf(planeOf([...BASE, ...outside, record('all', {})]), 'all');
  assert.is(alone.state, 'DEGRADED');
  assert.is(alone.targets[0]?.reports[0]?.code, 'NOT_IN_A_MESH');
  const among = statusOf(planeOf([...FLEET.slice(0, -1), ...outside.slice(-1), record('all', {})]), 'all');
  assert.is(among.state, 'ACCEPTED');
  assert.equal(
    among.targets.flatMap(({ reports }) => reports.map(({ severity }) => severity)),
    ['info'],
  );
});

test('proxies of a configured mesh outside any virtual mesh get no configuration', () => {
  const fleetState = FLEET.filter(({ object }) => object.kind !== 'VirtualMesh');
  const { state, targets } = statusOf(planeOf([...fleetState, record('all', {})], describingPlugin()), 'all');
  assert.is(state, 'DEGRADED');
  assert.is(targets[0]?.reports[0]?.code, 'NOT_IN_A_VIRTUAL_MESH');
});

test('views of configured workloads include their access logs', () => {
  const plane = planeOf([...FLEET, record('all', {})], describingPlugin());
  const views = Object.values(sheets(plane, 'workload.')) as ReadonlyArray<{ accessLog: unknown[] }>;
  assert.is(views.length, 4);
  for (const { accessLog } of views) assert.is(accessLog.length, 1);
});

test('a record of a workload cluster applies to workloads of that cluster only, and reports other clusters it names', () => {
  const plane = planeOf([
    ...FLEET,
    record('own', {}, { cluster: 'c1', namespace: 'x' }),
    record('other', selecting({ clusters: ['c2'] }), { cluster: 'c1', namespace: 'x' }),
  ]);
  assert.is(statusOf(plane, 'own').targetCount, 2);
  const { state, reports } = statusOf(plane, 'other');
  assert.is(state, 'DEGRADED');
  assert.match(reports[0]?.message ?? '', 'reaches workloads of that cluster only');
});

test('a record that selects nothing reports it; one with an invalid value is invalid', () => {
  const plane = planeOf([
    ...FLEET,
    record('missing', selecting({ labels: { app: 'missing' } })),
    record('bad', { filters: [{ statusCodeMatcher: { value: 700, comparator: 'EQ' } }] }),
  ]);
  assert.is(statusOf(plane, 'missing').reports[0]?.code, 'NO_TARGETS_SELECTED');
  assert.is(statusOf(plane, 'bad').state, 'INVALID');
});

test('an edit recomputes only the workloads selected before or after it', () => {
  const plane = emptyPlane(fakePlugin());
  const many = Array.from({ length: 300 }, (_, index): Placed => {
    const name = `w${index}`;
    return {
      cluster: 'c1',
      object: {
        apiVersion: 'discovery.meshrelay.dev/v1alpha1',
        kind: 'Workload',
        metadata: { name, namespace: 'many' },
        spec: {
          kubernetes: {
            controller: { kind: 'Deployment', name, namespace: 'many', clusterName: 'c1' },
            podLabels: { app: name, team: `t${index % 100}` },
            serviceAccountName: 'default',
          },
          mesh: { name: 'cp', namespace: 'fake' },
        },
      } as unknown as KubeObject,
    };
  });
  const now = (placed: readonly Placed[]) =>
    apply(
      plane,
      placed.map((one) => ({ ...one, gone: false })),
    );
  now([...FLEET, ...many, record('broad', {}), record('few', selecting({ labels: { team: 't7' } }))]);
  const before = counts(plane);
  now([record('few', { ...selecting({ labels: { team: 't7' } }), includedRequestHeaders: ['x-new'] })]);
  assert.equal(difference(before, counts(plane)), {
    'extensions/targeting': 1,
    'extensions/workloads': 0,
    'extensions/logged': 3,
    'translate/workload-extensions': 3,
  });
});

const WATCHED = [
  'extensions/targeting',
  'extensions/workloads',
  'extensions/logged',
  'translate/workload-extensions',
] as const;

function counts({ graph }: ReturnType<typeof planeOf>): Record<string, number> {
  const all = graph.counters();
  return Object.fromEntries(WATCHED.map((node) => [node, all.get(node)?.recomputed ?? -1]));
}

function difference(before: Record<string, number>, after: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(after).map(([node, count]) => [node, count - (before[node] ?? 0)]));
}

test.run();
