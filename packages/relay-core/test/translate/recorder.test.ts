/** Invalid output of a plugin is rejected and reported. */
import type { KubeObject } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import { BASE } from '../support/base-fleet.ts';
import type { NativeObject, Output, PolicyRef } from '../support/core.ts';
import { BAG, fakePlugin } from '../support/fake-plugin.ts';
import { planeOf } from '../support/fleet-states.ts';
import type { Placed } from '../support/placed.ts';

const REF: PolicyRef = { kind: 'TrafficPolicy', cluster: '', namespace: 'n', name: 'p' };
const POLICY: Placed = {
  cluster: '',
  object: {
    apiVersion: 'networking.meshrelay.dev/v1alpha1',
    kind: 'TrafficPolicy',
    metadata: { name: 'p', namespace: 'n' },
    spec: {
      destinationSelector: [{ kubeServiceRefs: { services: [{ name: 'b', namespace: 'y', clusterName: 'c1' }] } }],
      policy: { requestTimeout: '1s' },
    },
  } as unknown as KubeObject,
};
const sheet = (name: string, more: Partial<NativeObject> = {}): NativeObject => ({
  apiVersion: 'fake.example/v1',
  kind: 'Sheet',
  metadata: { name, namespace: 'y' },
  ...more,
});

/** The result of a plugin that emits this for destination b of cluster c1. */
function writing(write: (out: Output) => void, more: readonly Placed[] = []) {
  const plugin = fakePlugin({
    translateFederatedDestination() {},
    translateEndpoints() {},
    translateMesh() {},
    translateDestination({ destination }, out) {
      if (destination.name === 'b') write(out);
    },
  });
  const plane = planeOf([...BASE, POLICY, ...more], plugin);
  const [status] = [...plane.statuses.entries()].filter(([, { ref }]) => ref.name === 'p').map(([, one]) => one.status);
  const outputs = [...plane.desired.entries()].map(([, { object }]) => object);
  return {
    outputs,
    state: status?.state,
    messages: status?.targets.flatMap(({ reports }) => reports.map(({ code, message }) => `${code} ${message}`)) ?? [],
    plane,
  };
}

test('an object of another cluster is rejected', () => {
  const { outputs, state, messages } = writing((out) => out.emit('c2', sheet('s'), [REF]));
  assert.equal(outputs, []);
  assert.is(state, 'FAILED');
  assert.match(
    messages[0] ?? '',
    /PLUGIN_INVALID_OUTPUT plugin fake: it writes to cluster c2 for a view of cluster c1/,
  );
});

test('an object of an undeclared kind is rejected', () => {
  const { outputs, messages } = writing((out) =>
    out.emit('c1', sheet('s', { apiVersion: 'v1', kind: 'Secret' }), [REF]),
  );
  assert.equal(outputs, []);
  assert.match(messages[0] ?? '', /it writes v1 Secret, which its "writes" does not declare/);
});

test('an object without a name is rejected', () => {
  assert.equal(writing((out) => out.emit('c1', sheet(''), [REF])).outputs, []);
});

for (const [what, object] of [
  ['null', null],
  ['nothing', undefined],
  ['an object without metadata', { apiVersion: 'fake.example/v1', kind: 'Sheet' }],
  ['an object whose name is a number', sheet(7 as never)],
] as const) {
  test(`${what} is rejected, with the expected form`, () => {
    const { outputs, state, messages } = writing((out) => out.emit('c1', object as never, [REF]));
    assert.equal(outputs, []);
    assert.is(state, 'FAILED');
    assert.match(
      messages[0] ?? '',
      /PLUGIN_INVALID_OUTPUT plugin fake: it writes .*; expected an object with apiVersion, kind/,
    );
  });
}

test('an object without a list of policies is reported to the source policies of the view', () => {
  const { outputs, state, messages } = writing((out) => out.emit('c1', sheet('s'), undefined as never));
  assert.equal(outputs, []);
  assert.is(state, 'FAILED');
  assert.match(
    messages[0] ?? '',
    /PLUGIN_FAILED .*it passes an object for undefined; expected a list of its source policies/,
  );
});

for (const report of [
  null,
  { severity: 'warning', message: 'no code' },
  { code: 'odd one', severity: 'warning', message: 'no word' },
  { code: 'ODD', severity: 'fatal', message: 'no such severity' },
  { code: 'ODD', severity: 'warning' },
  { code: 'ODD', severity: 'warning', message: '' },
]) {
  test(`the report ${JSON.stringify(report)} is rejected`, () => {
    const { state, messages } = writing((out) => out.report(REF, report as never));
    assert.is(state, 'FAILED');
    assert.match(messages[0] ?? '', /PLUGIN_INVALID_OUTPUT plugin fake: it reports .*; expected a code such as/);
  });
}

test('a contribution without `assemble` is reported', () => {
  const to = { cluster: 'c1', kind: BAG, namespace: 'fake', name: 'other' };
  const { assemble: _assemble, ...plugin } = fakePlugin({
    translateFederatedDestination() {},
    translateEndpoints() {},
    translateMesh() {},
    translateDestination: (_view, out) => out.contribute(to, { slot: 'a', value: 1 }, [REF]),
  }).plugin;
  const plane = planeOf([...BASE, POLICY], { plugin, settings: undefined });
  const reports = [...plane.statuses.entries()].flatMap(([, { status }]) =>
    status.targets.flatMap((target) => target.reports.map(({ message }) => message)),
  );
  assert.ok(
    reports.includes('plugin fake: it contributes to Bag other, but has no "assemble" that builds it'),
    reports.join('\n'),
  );
});

test('a contribution to another cluster is rejected', () => {
  const to = { cluster: 'c2', kind: BAG, namespace: 'fake', name: 'bag' };
  const { outputs, state } = writing((out) => out.contribute(to, { slot: 'a', value: 1 }, [REF]));
  assert.equal(outputs, []);
  assert.is(state, 'FAILED');
});

test('ownership labels of a plugin are replaced, and source policies are in one order', () => {
  const labels = { 'meshrelay.dev/owner': 'me', retained: 'yes' };
  const other: PolicyRef = { ...REF, name: 'a' };
  const [object] = writing((out) =>
    out.emit('c1', sheet('s', { metadata: { name: 's', namespace: 'y', labels } }), [REF, other, REF]),
  ).outputs;
  assert.equal(object?.metadata.labels, {
    retained: 'yes',
    'meshrelay.dev/owner': 'meshrelay',
    'meshrelay.dev/plugin': 'fake',
  });
  assert.equal(JSON.parse(object?.metadata.annotations?.['meshrelay.dev/source-policies'] ?? ''), [other, REF]);
});

test('an object emitted twice unchanged is one; a second, different one is rejected', () => {
  const same = writing((out) => {
    out.emit('c1', sheet('s'), [REF]);
    out.emit('c1', sheet('s'), [REF]);
  });
  assert.is(same.outputs.length, 1);
  assert.is(same.state, 'ACCEPTED');
  const differ = writing((out) => {
    out.emit('c1', sheet('s', { spec: 1 }), []);
    out.emit('c1', sheet('s', { spec: 2 }), [REF]);
  });
  assert.equal(
    differ.outputs.map((one) => one['spec']),
    [1],
  );
  assert.is(differ.state, 'CONFLICT');
  assert.match(differ.messages[0] ?? '', /DUPLICATE_OUTPUT/);
});

test('a user object of that name is not changed, and the policy gets a report; a managed one is replaced', () => {
  const present = (labels: Readonly<Record<string, string>>): Placed => ({
    cluster: 'c1',
    object: { ...sheet('s'), metadata: { name: 's', namespace: 'y', labels } } as KubeObject,
  });
  const foreign = writing((out) => out.emit('c1', sheet('s'), [REF]), [present({})]);
  assert.equal(foreign.outputs, []);
  assert.is(foreign.state, 'CONFLICT');
  assert.match(foreign.messages[0] ?? '', /OBJECT_EXISTS Sheet y\/s of cluster c1/);
  const managed = writing(
    (out) => out.emit('c1', sheet('s'), [REF]),
    [present({ 'meshrelay.dev/owner': 'meshrelay' })],
  );
  assert.is(managed.outputs.length, 1);
  assert.is(managed.state, 'ACCEPTED');
});

test('a user object with the same exclusive claim prevents the generated object; otherwise the policy gets a report', () => {
  const conflicting = (name: string): Placed => ({
    cluster: 'c1',
    object: { ...sheet(name), metadata: { name, namespace: 'other' } } as KubeObject,
  });
  const emit = (name: string) => (out: Output) => out.emit('c1', sheet(name), [REF]);
  const exclusive = writing(emit('local.a'), [conflicting('conflict.a')]);
  assert.equal(exclusive.outputs, []);
  assert.is(exclusive.state, 'CONFLICT');
  assert.match(
    exclusive.messages[0] ?? '',
    /OBJECT_CONFLICT Sheet other\/conflict\.a of cluster c1, which is not managed by Meshrelay, has the only sheet; the generated Sheet local\.a is not applied/,
  );
  const shared = writing(emit('local.b'), [conflicting('conflict.b')]);
  assert.is(shared.outputs.length, 1);
  assert.is(shared.state, 'DEGRADED');
  const noted = writing(emit('local.c'), [conflicting('conflict.c')]);
  assert.is(noted.state, 'ACCEPTED');
  assert.match(noted.messages[0] ?? '', /OVERLAPPING_OBJECT Sheet other\/conflict\.c/);
  assert.is(writing(emit('local.a'), [conflicting('conflict.b')]).state, 'ACCEPTED');
  const many = writing(
    emit('local.b'),
    [1, 2, 3, 4, 5, 6, 7].map((number) => conflicting(`conflict.b.${number}`)),
  );
  assert.is(many.messages.length, 5, 'a status stays bounded');
  assert.match(many.messages[4] ?? '', /and 2 more such objects/);
});

test('a plugin that assembles a different object than requested is reported', () => {
  const to = { cluster: 'c1', kind: BAG, namespace: 'fake', name: 'other' };
  const plugin = fakePlugin({
    translateFederatedDestination() {},
    translateEndpoints() {},
    translateDestination: (_view, out) => out.contribute(to, { slot: 'a', value: 1 }, []),
    assemble: () => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'other', namespace: 'fake' } }),
  });
  const plane = planeOf([...BASE, POLICY], plugin);
  assert.not.ok([...plane.desired.entries()].some(([, { object }]) => object.kind !== 'Sheet'));
  const [fault] = [...plane.graph.quarantined.entries()].map(([, { error }]) => String(error));
  assert.match(fault ?? '', 'asked to assemble Bag.fake.example fake/other, it gave Secret. fake/other');
});

test('a plugin that assembles no object when one is requested is reported', () => {
  const plugin = fakePlugin({ assemble: () => undefined as never });
  const plane = planeOf([...BASE, POLICY], plugin);
  const [fault] = [...plane.graph.quarantined.entries()].map(([, { error }]) => String(error));
  assert.match(fault ?? '', /plugin fake: asked to assemble Bag\.fake\.example fake\/bag, it gave no object/);
});

test('a plugin that throws affects only the views for which it throws', () => {
  const { plane } = writing(() => {
    throw new Error('no');
  });
  const faults = [...plane.graph.quarantined.entries()].map(([, { node }]) => node);
  assert.equal(faults, ['translate/destinations']);
});

test.run();
