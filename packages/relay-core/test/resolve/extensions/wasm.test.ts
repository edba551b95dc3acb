/** WasmDeployments and workloads: which workloads run which modules, in which order, and omitted filters. */
import type { KubeObject } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import { BASE, WORKLOADS } from '../../support/base-fleet.ts';
import { planeOf } from '../../support/fleet-states.ts';
import type { Placed } from '../../support/placed.ts';

const http = (path: string): object => ({
  httpUriSource: { uri: `https://a.example.com/${path}`, sha256: 'a'.repeat(64) },
});
const selecting = (matcher: object): object => ({ workloadSelectors: [{ kubeWorkloadMatcher: matcher }] });

function deployment(name: string, spec: object, { cluster = '', namespace = 'meshrelay' } = {}): Placed {
  const object = {
    apiVersion: 'extensions.meshrelay.dev/v1alpha1',
    kind: 'WasmDeployment',
    metadata: { name, namespace },
    spec,
  };
  return { cluster, object: object as unknown as KubeObject };
}

type Filter = { readonly source: { readonly uri: string }; readonly context: string; readonly weight: number };

/** The modules in the sheets of workloads, by cluster and name. */
function modules(plane: ReturnType<typeof planeOf>): Record<string, Filter[]> {
  return Object.fromEntries(
    [...plane.desired.entries()].flatMap(([, { cluster, object }]) =>
      object.metadata.name.startsWith('extensions.')
        ? [[`${cluster} ${object.metadata.name}`, (object['spec'] as { view: { wasm: Filter[] } }).view.wasm] as const]
        : [],
    ),
  );
}

function statusOf(plane: ReturnType<typeof planeOf>, name: string) {
  const found = [...plane.statuses.entries()].find(([, one]) => one.ref.name === name);
  if (found === undefined) throw new Error(`no status of ${name}`);
  return found[1].status;
}

const FLEET = [...BASE, ...WORKLOADS];

test('selected workloads run the modules, by descending weight of the deployment, then as written', () => {
  const plane = planeOf([
    ...FLEET,
    deployment('a-light', {
      ...selecting({ labels: { app: 'a' }, clusters: ['c1'] }),
      filters: [http('1'), http('2')],
    }),
    deployment('b-heavy', { ...selecting({ labels: { app: 'a' } }), filters: [http('3')], weight: 10 }),
  ]);
  const uris = Object.fromEntries(
    Object.entries(modules(plane)).map(([name, wasm]) => [
      name,
      wasm.map(({ source }) => source.uri.slice(-1)).join(''),
    ]),
  );
  assert.equal(uris, {
    'c1 extensions.a.deployment': '312',
    'c2 extensions.a.deployment': '3',
    'c3 extensions.a.deployment': '3',
  });
  const { state, targetCount } = statusOf(plane, 'b-heavy');
  assert.equal({ state, targetCount }, { state: 'ACCEPTED', targetCount: 3 });
});

test('an unsupported filter is reported on each workload', () => {
  const plane = planeOf([
    ...FLEET,
    deployment('a', { filters: [{ ...http('1'), filterContext: 'GATEWAY' }, http('2')] }),
  ]);
  const { state, targets } = statusOf(plane, 'a');
  assert.is(state, 'DEGRADED');
  assert.is(targets[0]?.reports[0]?.code, 'UNSUPPORTED');
  assert.is(targets[0]?.kind, 'Workload');
  for (const wasm of Object.values(modules(plane)))
    assert.equal(
      wasm.map(({ source }) => source.uri.slice(-1)),
      ['2'],
    );
});

test('a deployment of another cluster, or an invalid one, has no effect', () => {
  const plane = planeOf([
    ...FLEET,
    deployment('elsewhere', { filters: [http('1')] }, { cluster: 'c2', namespace: 'policies' }),
    deployment('broken', { filters: [{}] }),
  ]);
  assert.equal(Object.keys(modules(plane)), ['c2 extensions.a.deployment']);
  assert.is(statusOf(plane, 'broken').state, 'INVALID');
});

test('ConfigMaps in namespaces that the policy must not use are not read', () => {
  const claim = (name: string, namespace: string): Placed => ({
    cluster: '',
    object: {
      apiVersion: 'admin.meshrelay.dev/v1alpha1',
      kind: 'Workspace',
      metadata: { name, namespace: 'meshrelay' },
      spec: { clusters: [{ name: 'c1', namespaces: [{ name: namespace }] }] },
    } as unknown as KubeObject,
  });
  const filters = [
    { configMapSource: { name: 'own' } },
    { configMapSource: { name: 'named', namespace: 'x' } },
    { configMapSource: { name: 'foreign', namespace: 'y' } },
  ];
  const fleetState = [...FLEET, claim('red', 'x'), claim('blue', 'y')];
  const plane = planeOf([...fleetState, deployment('a', { filters }, { cluster: 'c1', namespace: 'x' })]);
  const found = modules(plane)['c1 extensions.a.deployment'] as unknown as {
    source: { name: string; namespace: string };
  }[];
  assert.equal(
    found.map(({ source }) => `${source.namespace}/${source.name}`),
    ['x/own', 'x/named'],
  );
  const { state, targets } = statusOf(plane, 'a');
  assert.is(state, 'DEGRADED');
  const [report] = targets[0]?.reports ?? [];
  assert.equal([report?.code, report?.field], ['REF_NOT_PERMITTED', 'spec.filters[2].configMapSource.namespace']);
  const everywhere = planeOf([
    ...fleetState,
    deployment('a', { ...selecting({ namespaces: ['x'], clusters: ['c1'] }), filters }),
  ]);
  assert.is(modules(everywhere)['c1 extensions.a.deployment']?.length, 3, 'the administrator may read all');
});

test.run();
