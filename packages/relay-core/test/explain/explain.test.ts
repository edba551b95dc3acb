/** Explanations of a fleet: effective fields of policies, lost conflicts, and the sources of generated objects. */
import type { KubeObject } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import { BASE, WORKLOADS } from '../support/base-fleet.ts';
import {
  type ControlPlane,
  type DestinationExplanation,
  type ExplainContext,
  type ExplainDocument,
  explain,
  type LoadedPlugin,
  type OutputExplanation,
  type PolicyExplanation,
  settle,
} from '../support/core.ts';
import { capabilities, fakePlugin } from '../support/fake-plugin.ts';
import { planeOf } from '../support/fleet-states.ts';
import { sha256 } from '../support/hash.ts';
import type { Placed } from '../support/placed.ts';

const A = { services: [{ name: 'a', namespace: 'x', clusterName: 'c1' }] };

function policy(kind: string, name: string, spec: object): Placed {
  const apiVersion = 'networking.meshrelay.dev/v1alpha1';
  const object = { apiVersion, kind, metadata: { name, namespace: 'policies', generation: 1 }, spec };
  return { cluster: '', object: object as unknown as KubeObject };
}

function traffic(name: string, rules: object, more: object = {}): Placed {
  return policy('TrafficPolicy', name, {
    destinationSelector: [{ kubeServiceRefs: A }],
    policy: rules,
    ...more,
  });
}

function plane(policies: readonly Placed[], plugin?: LoadedPlugin): ControlPlane {
  return planeOf([...BASE, ...policies], plugin);
}

function documentOf(fleetState: ControlPlane, text: string, context?: ExplainContext): ExplainDocument {
  const answer = explain(fleetState, text, context);
  assert.ok('document' in answer, JSON.stringify(answer));
  return (answer as { document: ExplainDocument }).document;
}

const policyOf = (fleetState: ControlPlane, text: string, context?: ExplainContext) =>
  documentOf(fleetState, text, context) as PolicyExplanation;
const destinationOf = (fleetState: ControlPlane, text: string) =>
  documentOf(fleetState, text) as DestinationExplanation;
const outputOf = (fleetState: ControlPlane, text: string) => documentOf(fleetState, text) as OutputExplanation;

const ref = (name: string, kind = 'TrafficPolicy') => ({ kind, cluster: '', namespace: 'policies', name });

test('a policy: its effective fields on each target, alone and with other policies', () => {
  const fleetState = plane([
    traffic('first', { requestTimeout: '5s', retries: { attempts: 3 } }),
    traffic('second', { requestTimeout: '5s' }),
  ]);
  const { about, state, targetCount, targets, outputs } = policyOf(fleetState, 'first');
  assert.equal([about, state, targetCount], ['policy', 'ACCEPTED', 1]);
  assert.equal(
    targets[0]?.effects.map(({ field, from }) => [field, from]),
    [
      ['requestTimeout', [ref('first'), ref('second')]],
      ['retries', [ref('first')]],
    ],
  );
  assert.ok(outputs.some(({ cluster, name, written }) => written && cluster === 'c1' && name === 'local.a'));
});

test('a policy that lost a conflict: the winner, and no effective fields', () => {
  const fleetState = plane([
    traffic('a-first', { requestTimeout: '5s' }),
    traffic('b-second', { requestTimeout: '6s' }),
  ]);
  const { state, targets } = policyOf(fleetState, 'trafficpolicy/b-second');
  assert.is(state, 'CONFLICT');
  assert.equal(targets[0]?.effects, []);
  assert.equal(
    targets[0]?.reports.map(({ code, field, related }) => [code, field, related]),
    [['CONFLICT', 'spec.policy.requestTimeout', [ref('a-first')]]],
  );
  const destination = destinationOf(fleetState, 'destination/c1/x/a');
  assert.equal(
    destination.notApplied.map(({ policy: { name }, state: there, report: { code } }) => [name, there, code]),
    [['b-second', 'CONFLICT', 'CONFLICT']],
  );
  assert.equal(
    destination.policies.map(({ policy: { name }, state: there }) => [name, there]),
    [
      ['a-first', 'ACCEPTED'],
      ['b-second', 'CONFLICT'],
      ['base', 'ACCEPTED'],
    ],
  );
});

test('a policy that a mesh supports in part: the unsupported rest is not effective, with the reason', () => {
  const fleetState = plane([traffic('one', { requestTimeout: '5s', csrf: { filterEnabled: true } })]);
  const { state, targets } = policyOf(fleetState, 'one');
  assert.is(state, 'DEGRADED');
  assert.equal(
    targets[0]?.effects.map(({ field }) => field),
    ['requestTimeout'],
  );
  assert.ok(targets[0]?.reports.some(({ code, message }) => code === 'UNSUPPORTED' && message.includes('not here')));
});

test('a pending policy reports what it waits for', () => {
  const gone = { kubeService: { name: 'gone', namespace: 'x', clusterName: 'c1' }, weight: 100 };
  const { state, reports } = policyOf(plane([traffic('one', { trafficShift: { destinations: [gone] } })]), 'one');
  assert.is(state, 'PENDING');
  assert.equal(
    reports.map(({ code }) => code),
    ['REF_NOT_FOUND'],
  );
});

test('missing references of a policy, with similar names', () => {
  const of = (name: string, namespace: string, clusterName: string) => ({
    kubeService: { name, namespace, clusterName },
    weight: 25,
  });
  const destinations = [of('aa', 'x', 'c1'), of('a', 'y', 'c2'), of('a', 'x', 'c9'), of('checkout', 'x', 'c1')];
  const missing = [
    ...(policyOf(plane([traffic('one', { trafficShift: { destinations } })]), 'one').missing ?? []),
    ...(policyOf(
      plane([policy('VirtualMesh', 'two', { meshes: [{ name: 'cp-fake-c11', namespace: 'meshrelay' }] })]),
      'two',
    ).missing ?? []),
  ];
  assert.equal(
    missing.map(({ field, ref: { kind, name }, likely }) => [
      field.replace('spec.policy.trafficShift.destinations', ''),
      kind,
      name,
      likely.map((one) => `${one.cluster}/${one.namespace}/${one.name}`),
    ]),
    [
      ['[0].kubeService', 'Destination', 'aa', ['c1/x/a']],
      ['[1].kubeService', 'Destination', 'a', ['c2/x/a']],
      ['[2].kubeService', 'Destination', 'a', ['c1/x/a', 'c2/x/a', 'c3/x/a']],
      ['[3].kubeService', 'Destination', 'checkout', []],
      ['spec.meshes[0]', 'Mesh', 'cp-fake-c11', ['/meshrelay/cp-fake-c1']],
    ],
  );
  assert.is(policyOf(plane([traffic('one', { requestTimeout: '5s' })]), 'one').missing, undefined);
});

/** Field, number of workloads, their names, number outside meshes, and similar names. */
function callersOf(fleetState: ControlPlane, text: string): unknown {
  return policyOf(fleetState, text).callers?.map(({ field, count, workloads, outsideMeshes, likely }) => [
    field,
    count,
    workloads.map(({ cluster, namespace, name }) => `${cluster}/${namespace}/${name}`),
    outsideMeshes,
    ...(likely === undefined ? [] : [likely]),
  ]);
}

/** The workload of that name, without a mesh. */
function outside({ cluster, object }: Placed): Placed {
  const { mesh: _mesh, ...spec } = object.spec as { readonly mesh: unknown };
  return { cluster, object: { ...object, spec } as unknown as KubeObject };
}

test('the callers of a TrafficPolicy: running workloads, per selector', () => {
  const [first, second, third, fourth] = WORKLOADS as readonly [Placed, Placed, Placed, Placed];
  const sourceSelector = [
    { kubeWorkloadMatcher: { labels: { app: 'a' }, clusters: ['c1', 'c2'] } },
    { kubeWorkloadMatcher: { labels: { app: 'aa' } } },
    { kubeWorkloadMatcher: { namespaces: ['y'] } },
    {},
  ];
  const fleetState = plane([traffic('one', {}, { sourceSelector }), first, second, third, outside(fourth)]);
  assert.equal(callersOf(fleetState, 'one'), [
    ['spec.sourceSelector[0]', 2, ['c1/x/a-deployment', 'c2/x/a-deployment'], 0],
    ['spec.sourceSelector[1]', 0, [], 0],
    ['spec.sourceSelector[2]', 0, [], 1],
  ]);
  assert.is(callersOf(plane([traffic('one', {}), ...WORKLOADS]), 'one'), undefined);
  assert.is(callersOf(fleetState, 'virtualmesh/base'), undefined);
});

test('the callers of an AccessPolicy: workloads of each ServiceAccount, and similar names', () => {
  const account = (name: string, more: object) => ({ name, namespace: 'x', ...more });
  const sourceSelector = [
    {
      kubeServiceAccountRefs: {
        serviceAccounts: [account('default', { clusterName: 'c2' }), account('defualt', {}), account('', {})],
      },
      kubeIdentityMatcher: { namespaces: ['y'], trustDomains: ['td.one'] },
    },
    { kubeIdentityMatcher: { trustDomains: ['td.two'] } },
  ];
  const open = { destinationSelector: [{ kubeServiceRefs: A }], action: 'ALLOW', sourceSelector };
  const fleetState = plane([policy('AccessPolicy', 'one', open), ...WORKLOADS]);
  const accounts = 'spec.sourceSelector[0].kubeServiceAccountRefs.serviceAccounts';
  assert.equal(callersOf(fleetState, 'one'), [
    ['spec.sourceSelector[0].kubeIdentityMatcher', 1, ['c1/y/b-deployment'], 0],
    [`${accounts}[0]`, 1, ['c2/x/a-deployment'], 0],
    [`${accounts}[1]`, 0, [], 0, 'default'],
    [`${accounts}[2]`, 3, ['c1/x/a-deployment', 'c2/x/a-deployment', 'c3/x/a-deployment'], 0],
    ['spec.sourceSelector[1].kubeIdentityMatcher', 0, [], 0],
  ]);
  const anyone = plane([policy('AccessPolicy', 'one', { ...open, unauthenticated: true }), ...WORKLOADS]);
  assert.is(callersOf(anyone, 'one'), undefined);
});

test('a virtual mesh: its members, and the effect on each', () => {
  const { targets } = policyOf(plane([]), 'virtualmesh/base');
  assert.equal(
    targets.flatMap(({ target, state }) => (target.kind === 'Mesh' ? [[target.cluster, state]] : [])),
    [
      ['c3', 'PENDING'],
      ['c1', 'ACCEPTED'],
      ['c2', 'ACCEPTED'],
    ],
  );
  assert.equal(
    targets.map(({ effects }) => effects.map(({ field, value }) => [field, value])),
    [[], [['federation', '2 destinations federated']], [['federation', '1 destination federated']]],
  );
});

test('a virtual mesh: every field that changes its members, as far as their meshes support it', () => {
  const spec = {
    meshes: ['c1', 'c2'].map((cluster) => ({ name: `cp-fake-${cluster}`, namespace: 'meshrelay' })),
    mtlsConfig: { strict: true, shared: { rootCertificateAuthority: { generated: {} } } },
    globalAccessPolicy: 'ENABLED',
    federation: { mode: 'ALL', flatNetwork: true, tcpKeepalive: { probes: 3 } },
  };
  const others = BASE.filter(({ object }) => object.kind !== 'VirtualMesh');
  const effectsBy = (plugin?: LoadedPlugin) =>
    policyOf(planeOf([...others, policy('VirtualMesh', 'base', spec)], plugin), 'virtualmesh/base')
      .targets.flatMap(({ target, effects }) => (target.cluster === 'c1' ? [effects] : []))
      .map((effects) => effects.map(({ field, value }) => [field, value]));
  assert.equal(effectsBy(), [
    [
      ['federation.flatNetwork', true],
      ['federation.tcpKeepalive', { probes: 3 }],
      ['globalAccessPolicy', 'ENABLED'],
      ['mtlsConfig', 'shared'],
      ['mtlsConfig.strict', true],
    ],
  ]);
  const unsupported = { unsupported: 'not here' };
  const limited = capabilities({ 'mesh.federation.tcpKeepalive': unsupported, 'mesh.globalAccess': unsupported });
  assert.equal(
    effectsBy(fakePlugin({ capabilities: limited }))
      .flat()
      .map(([field]) => field),
    ['federation.flatNetwork', 'mtlsConfig', 'mtlsConfig.strict'],
  );
});

test('a host can add the answers of agents', () => {
  const { state } = policyOf(plane([traffic('one', { requestTimeout: '5s' })]), 'one', {
    statusOf: ({ status }) => ({ ...status, state: 'FAILED' }),
  });
  assert.is(state, 'FAILED');
});

test('a destination: its routes in order, its views from other meshes, and its consumers', () => {
  const fleetState = plane([
    traffic('slow', { requestTimeout: '5s' }),
    traffic('quick', { requestTimeout: '1s' }, { httpRequestMatchers: [{ uri: { prefix: '/quick' } }] }),
    policy('AccessPolicy', 'who', { destinationSelector: [{ kubeServiceRefs: A }], allowedMethods: ['GET'] }),
  ]);
  settle(fleetState, { plugins: [fakePlugin()], hash: sha256 });
  const { visibleTo, federation, mesh, outputs, policies } = destinationOf(fleetState, 'c1/x/a');
  assert.equal(
    policies.map(({ policy: { name }, state, sequence }) => [name, state, sequence]),
    [
      ['quick', 'ACCEPTED', 2],
      ['slow', 'ACCEPTED', 3],
      ['who', 'ACCEPTED', 4],
      ['base', 'ACCEPTED', 1],
    ],
  );
  assert.equal([mesh?.type, mesh?.cluster], ['fake', 'c1']);
  const [own, ...others] = visibleTo;
  assert.is(own?.consumer, undefined);
  assert.equal(
    own?.routes.map(({ actions }) => actions.map(({ value, from }) => [value, from[0]?.name])),
    [[[1000, 'quick']], [[5000, 'slow']]],
  );
  assert.equal(
    own?.access.map(({ from }) => from),
    [[ref('who', 'AccessPolicy')]],
  );
  assert.equal(
    others.map(({ consumer }) => consumer?.cluster),
    ['c2', 'c3'],
  );
  assert.equal([federation?.hostname, federation?.virtualMesh.name], ['a.x.svc.c1.global', 'base']);
  assert.match(federation?.address ?? '', /^240\./);
  assert.equal(
    federation?.consumers.map(({ cluster }) => cluster),
    ['c2', 'c3'],
  );
  assert.ok(outputs.length > 2);
});

test('a destination without a gateway: the meshes that cannot reach it, with the reason', () => {
  const fleetState = plane([]);
  const { federation, notApplied } = destinationOf(fleetState, 'c3/x/a');
  assert.equal(federation?.consumers, []);
  assert.equal(
    federation?.unavailableTo.map(({ cluster }) => cluster),
    ['c1', 'c2'],
  );
  assert.equal(
    notApplied.map(({ policy: { name }, state, report: { code } }) => [name, state, code]),
    [['base', 'PENDING', 'NO_GATEWAY']],
  );
  const known = destinationOf(fleetState, 'c1/x/a');
  assert.equal([known.federation?.unavailableTo, known.notApplied], [[], []]);
});

test('a virtual mesh gives a destination its hostname only if some mesh can reach it', () => {
  const headless = BASE.map(({ cluster, object }): Placed => {
    const { kubeService, ...spec } = object['spec'] as { readonly kubeService?: object };
    if (object.metadata.name !== 'a' || kubeService === undefined) return { cluster, object };
    return { cluster, object: { ...object, spec: { ...spec, kubeService: { ...kubeService, headless: true } } } };
  });
  const given = (plugin?: LoadedPlugin) =>
    policyOf(planeOf(headless, plugin), 'virtualmesh/base')
      .targets.filter(({ target: { kind } }) => kind === 'Destination')
      .map(({ target: { cluster }, effects }) => [cluster, effects.map(({ value }) => value)]);
  assert.equal(given(), [
    ['c1', ['a.x.svc.c1.global']],
    ['c2', ['a.x.svc.c2.global']],
    ['c3', []],
  ]);
  const { capabilities } = fakePlugin().plugin;
  const unable = fakePlugin({
    capabilities: { ...capabilities, 'mesh.federation.gateway': { unsupported: 'not here' } },
  });
  assert.ok(given(unable).every(([, effects]) => effects?.length === 0));
});

test('a consumer gets the hostname at an address of its own IP family', () => {
  const base = BASE.filter(({ cluster, object }) => cluster !== 'c3' || object.kind !== 'Mesh');
  const [mesh] = BASE.filter(({ cluster, object }) => cluster === 'c3' && object.kind === 'Mesh');
  assert.ok(mesh !== undefined);
  const ipv6 = {
    cluster: 'c3',
    object: { ...mesh.object, spec: { ...(mesh.object['spec'] as object), ipFamilies: ['IPV6'] } },
  };
  const { federation } = destinationOf(planeOf([...base, ipv6]), 'c1/x/a');
  assert.equal(
    federation?.consumers.map(({ cluster, address }) => [cluster, address.replace(/::.*/, '::')]),
    [
      ['c2', federation?.address],
      ['c3', 'fd6d:6573:6872::'],
    ],
  );
});

test('an object: each of its fields with its source policies', () => {
  const fleetState = plane([traffic('one', { requestTimeout: '5s' }), traffic('two', { retries: { attempts: 3 } })]);
  const { written, sources, sourcePolicies, plugin } = outputOf(fleetState, 'sheet/c1/x/local.a');
  assert.equal([written, plugin], [true, 'fake']);
  assert.equal(sourcePolicies, [ref('one'), ref('two')]);
  assert.equal(
    sources.map(({ view, target: { name }, shared }) => [view, name, shared]),
    [['destinations', 'a', false]],
  );
  const fields = new Map(sources[0]?.fields.map(({ field, paths, from }) => [field, [paths, from]]));
  assert.equal(fields.get('requestTimeout'), [['spec.view.routes[0].actions.timeoutMs'], [ref('one')]]);
  assert.equal(fields.get('retries'), [['spec.view.routes[0].actions.retries'], [ref('two')]]);
});

test('an object shared by many views: the share of each', () => {
  const { sources } = outputOf(plane([traffic('one', { requestTimeout: '5s' })]), 'bag/c1/fake/bag');
  assert.ok(sources.length > 2);
  assert.ok(sources.every(({ shared }) => shared));
});

test('if a plugin fails without a part, the whole object is attributed to that part', () => {
  const plugin = fakePlugin({
    translateDestination({ destination: { cluster }, routes }, out) {
      const [{ timeoutMs } = {}] = routes.map(({ actions }) => actions);
      if (timeoutMs === undefined) throw new Error('no timeout');
      const object = { apiVersion: 'fake.example/v1', kind: 'Sheet', metadata: { name: 'one', namespace: 'x' } };
      out.emit(cluster, object, timeoutMs.from);
    },
    translateFederatedDestination: () => undefined,
    translateEndpoints: () => undefined,
    translateMesh: () => undefined,
  });
  const { sources } = outputOf(plane([traffic('only', { requestTimeout: '5s' })], plugin), 'sheet/one');
  assert.equal(
    sources[0]?.fields.map(({ field, paths }) => [field, paths]),
    [
      ['route', ['']],
      ['requestTimeout', ['']],
    ],
  );
});

test('an object that conflicts with a user object is reported as not applied', () => {
  const users = { apiVersion: 'fake.example/v1', kind: 'Sheet', metadata: { name: 'local.a', namespace: 'x' } };
  const fleetState = plane([
    traffic('one', { requestTimeout: '5s' }),
    { cluster: 'c1', object: users as unknown as KubeObject },
  ]);
  const { written, notApplied } = outputOf(fleetState, 'sheet/c1/x/local.a');
  assert.is(written, false);
  assert.ok(
    notApplied.some(({ policy: { name }, report: { code } }) => name === 'one' && code === 'OBJECT_EXISTS'),
    JSON.stringify(notApplied),
  );
});

test('a mesh in which the object for a hostname is not applied does not have the hostname', () => {
  const users = { apiVersion: 'fake.example/v1', kind: 'Sheet', metadata: { name: 'endpoints.a.c1', namespace: 'x' } };
  const fleetState = plane([{ cluster: 'c2', object: users as unknown as KubeObject }]);
  const { federation, notApplied } = destinationOf(fleetState, 'c1/x/a');
  const clusters = (meshes: ReadonlyArray<{ readonly cluster: string }> = []) => meshes.map(({ cluster }) => cluster);
  assert.equal([federation?.consumers, federation?.notFederatedTo, federation?.unavailableTo].map(clusters), [
    ['c3'],
    ['c2'],
    [],
  ]);
  assert.equal(
    notApplied.map(({ policy: { name }, report: { code } }) => [name, code]),
    [['base', 'OBJECT_EXISTS']],
  );
  const everywhere = ['c2', 'c3'].map((cluster): Placed => ({ cluster, object: users as unknown as KubeObject }));
  const { targets } = policyOf(plane(everywhere), 'virtualmesh/base');
  const given = targets.map(({ target: { kind, cluster, name }, effects }) => [
    kind,
    cluster,
    name,
    effects.filter(({ field }) => field === 'federation').map(({ value }) => value),
  ]);
  assert.ok(
    given.some((one) => JSON.stringify(one) === JSON.stringify(['Destination', 'c1', 'a', []])),
    JSON.stringify(given),
  );
  assert.ok(
    given.some((one) => JSON.stringify(one) === JSON.stringify(['Mesh', 'c1', 'cp', ['1 destination federated']])),
    JSON.stringify(given),
  );
});

test('a patch of a user object is among the outputs of its policy, and can be explained', () => {
  const kind = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
  const plugin = fakePlugin({
    watches: [kind],
    patches: [{ kind, names: ['mesh'], fieldPaths: ['data.mode'], consent: 'spec.patches.fake.mode' }],
    translateMesh({ mesh: { cluster }, virtualMesh }, out) {
      const object = { cluster, kind, namespace: 'fake', name: 'mesh' };
      out.patch(
        {
          object,
          fieldPath: 'data.mode',
          operation: { set: 'strict' },
          field: 'spec.mtlsConfig',
          without: 'nothing is strict',
        },
        [virtualMesh],
      );
    },
  });
  const refused = policyOf(plane([], plugin), 'virtualmesh/base');
  assert.equal(
    refused.patches.map(({ object: { cluster, kind: of, name }, fieldPath, operation, consent, consented, sent }) => [
      [cluster, of, name, fieldPath],
      [operation, consent, consented, sent],
    ]),
    ['c1', 'c2', 'c3'].map((cluster) => [
      [cluster, 'ConfigMap', 'mesh', 'data.mode'],
      [{ set: 'strict' }, 'spec.patches.fake.mode', false, false],
    ]),
  );
  const waiting = refused.outputs.filter(({ kind: of }) => of === 'ObjectPatch');
  assert.equal(
    waiting.map(({ written }) => written),
    [false, false, false],
  );
  const notApplied = outputOf(plane([], plugin), `objectpatch/c1/fake/${waiting[0]?.name}`);
  assert.equal([notApplied.written, notApplied.patches?.[0]?.from], [false, [ref('base', 'VirtualMesh')]]);
  const settings = {
    apiVersion: 'admin.meshrelay.dev/v1alpha1',
    kind: 'Settings',
    metadata: { name: 'settings', namespace: 'meshrelay' },
    spec: { patches: { fake: { mode: true } } },
  };
  const fleetState = plane([{ cluster: '', object: settings as unknown as KubeObject }], plugin);
  const patches = policyOf(fleetState, 'virtualmesh/base').outputs.filter(({ kind: of }) => of === 'ObjectPatch');
  assert.equal(
    patches.map(({ cluster, written }) => [cluster, written]),
    [
      ['c1', true],
      ['c2', true],
      ['c3', true],
    ],
  );
  const { sourcePolicies, plugin: by, content } = outputOf(fleetState, `objectpatch/c1/fake/${patches[0]?.name}`);
  assert.equal([sourcePolicies, by], [[ref('base', 'VirtualMesh')], 'fake']);
  assert.match(JSON.stringify(content), '"set":"strict"');
  assert.equal(
    policyOf(fleetState, 'virtualmesh/base').patches.map(({ consented, sent }) => [consented, sent]),
    [
      [true, true],
      [true, true],
      [true, true],
    ],
  );
});

test('a virtual destination: its backends, the path from each mesh, and the reports of its destinations', () => {
  const behind = ['c1', 'c2'].map((clusterName) => ({ kubeService: { name: 'a', namespace: 'x', clusterName } }));
  const fleetState = plane([
    policy('VirtualDestination', 'shop', {
      hostname: 'v.one',
      port: { number: 80, protocol: 'HTTP' },
      virtualMesh: { name: 'base', namespace: 'policies' },
      static: { destinations: behind },
    }),
  ]);
  const { virtualDestination } = policyOf(fleetState, 'virtualdestination/shop');
  assert.is(policyOf(fleetState, 'v.one').policy.name, 'shop', 'by its host name');
  assert.equal(
    virtualDestination?.members.map(({ destination: { cluster }, priority }) => [cluster, priority]),
    [
      ['c1', 0],
      ['c2', 1],
    ],
  );
  const fromFirst = virtualDestination?.visibleTo.find(({ consumer: { cluster } }) => cluster === 'c1');
  assert.equal(
    fromFirst?.groups.map(({ destination: { cluster }, local, addresses }) => [cluster, local, addresses]),
    [
      ['c1', true, []],
      ['c2', false, ['198.51.100.92']],
    ],
  );
  const { virtualDestinations, policies } = destinationOf(fleetState, 'destination/c2/x/a');
  assert.equal(
    virtualDestinations.map(({ policy: { name }, hostname, priority }) => [name, hostname, priority]),
    [['shop', 'v.one', 1]],
  );
  assert.ok(policies.some(({ policy: { kind, name } }) => kind === 'VirtualDestination' && name === 'shop'));
});

test('names: by kind, namespace, cluster, host, or name in the management cluster', () => {
  const fleetState = plane([traffic('one', { requestTimeout: '5s' })]);
  for (const text of [
    'one',
    'policies/one',
    'TrafficPolicy/one',
    'trafficpolicies/policies/one',
    '_/policies/one',
    'trafficpolicy/_/policies/one',
  ])
    assert.is(policyOf(fleetState, text).policy.name, 'one', text);
  for (const text of ['c1/x/a', 'dest/c1/x/a', 'a-x-c1', 'a.x.svc.c1.global', 'destination/a-x-c1'])
    assert.equal(
      destinationOf(fleetState, text).destination,
      { kind: 'Destination', cluster: 'c1', namespace: 'x', name: 'a' },
      text,
    );
});

test('an ambiguous name lists the full names of all candidates', () => {
  const answer = explain(plane([]), 'destination/x/a');
  assert.ok('problem' in answer && answer.problem === 'AMBIGUOUS');
  assert.equal('candidates' in answer ? answer.candidates : [], [
    'Destination/c1/x/a',
    'Destination/c2/x/a',
    'Destination/c3/x/a',
  ]);
});

test('an unknown name lists similar names', () => {
  const fleetState = plane([traffic('storefront', { requestTimeout: '5s' })]);
  const answer = explain(fleetState, 'trafficpolicy/storfront');
  assert.ok('problem' in answer && answer.problem === 'NOT_FOUND');
  assert.match('message' in answer ? answer.message : '', 'did you mean TrafficPolicy/_/policies/storefront?');
  const hopeless = explain(fleetState, 'zzzzzzzzzzzzzzzzzzzz');
  assert.match('message' in hopeless ? hopeless.message : '', '[KIND/][[CLUSTER/]NAMESPACE/]NAME');
});

test('explaining changes nothing', () => {
  const fleetState = plane([traffic('one', { requestTimeout: '5s' })]);
  // Includes the names of objects in the management cluster.
  fleetState.shown.activate();
  const before = JSON.stringify([...fleetState.graph.counters()]);
  for (const text of ['one', 'c1/x/a', 'sheet/c1/x/local.a', 'virtualmesh/base']) documentOf(fleetState, text);
  assert.is(JSON.stringify([...fleetState.graph.counters()]), before);
});

test.run();
