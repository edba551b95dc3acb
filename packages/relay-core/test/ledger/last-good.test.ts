/** Last valid spec: an invalid edit changes no output, is reported, and survives a restart through the ledger. */
import type { KubeObject, Ledger } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import { type ControlPlane, canonicalJson, decide, settle } from '../../src/mod.ts';
import { BASE } from '../support/base-fleet.ts';
import { fakePlugin } from '../support/fake-plugin.ts';
import { apply, desiredIn, planeOf } from '../support/fleet-states.ts';
import { sha256 } from '../support/hash.ts';
import type { Placed } from '../support/placed.ts';

const options = { plugins: [fakePlugin()], hash: sha256 };
const withoutLedger = BASE.filter(({ object }) => object.kind !== 'Ledger');

interface Made {
  readonly uid?: string;
  readonly generation?: number;
  readonly cluster?: string;
}

function policy(name: string, rules: unknown, { uid, generation, cluster = '' }: Made = {}): Placed {
  const spec = {
    destinationSelector: [{ kubeServiceRefs: { services: [{ name: 'b', namespace: 'y', clusterName: 'c1' }] } }],
    policy: rules,
  };
  const metadata = {
    name,
    namespace: 'n',
    ...(uid === undefined ? {} : { uid }),
    ...(generation === undefined ? {} : { generation }),
  };
  const apiVersion = 'networking.meshrelay.dev/v1alpha1';
  return { cluster, object: { apiVersion, kind: 'TrafficPolicy', metadata, spec } as unknown as KubeObject };
}

const timeout = (name: string, requestTimeout: string, made?: Made): Placed => policy(name, { requestTimeout }, made);
/** A spec with a shape that no reader accepts. */
const shapeless = (name: string, made?: Made): Placed => {
  const { cluster, object } = policy(name, {}, made);
  return { cluster, object: { ...object, spec: 'no object' } as unknown as KubeObject };
};
const set = (plane: ControlPlane, placed: Placed): void => apply(plane, [{ ...placed, gone: false }]);
const remove = (plane: ControlPlane, placed: Placed): void => apply(plane, [{ ...placed, gone: true }]);
const statusOf = ({ statuses }: ControlPlane, name: string) =>
  [...statuses.entries()].map(([, one]) => one).find(({ ref }) => ref.name === name)?.status;
const outputs = (plane: ControlPlane): string[] => desiredIn(plane, ['c1', 'c2', 'c3']);
const ledgerOf = ({ fleetState }: ControlPlane): Placed[] =>
  [...fleetState.ledgers.entries()].map(([, object]) => ({
    cluster: '',
    // As returned by an API server, with the fields in a different order.
    object: JSON.parse(canonicalJson(object)) as Ledger,
  }));

test('an invalid edit of an accepted policy changes no output, and the policy reports which spec is effective', () => {
  const plane = planeOf([...withoutLedger, timeout('p', '1s', { generation: 3 })]);
  settle(plane, options);
  const before = outputs(plane);
  set(plane, timeout('p', 'nonsense', { generation: 4 }));
  assert.equal(outputs(plane), before);
  const status = statusOf(plane, 'p');
  assert.is(status?.state, 'INVALID');
  assert.is(status?.observedGeneration, 4);
  assert.equal(
    status?.reports.map(({ code, field }) => [code, field]),
    [
      ['INVALID_VALUE', 'spec.policy.requestTimeout'],
      ['USING_LAST_KNOWN_GOOD', 'spec'],
    ],
  );
  assert.match(status?.reports[1]?.message ?? '', 'generation 3');
  assert.is(status?.targetCount, 1, 'its targets are those of the applied spec');
  assert.is(decide(plane.fleetState, plane.pendingDecisions, sha256), undefined, 'no state of it is stored');
});

test('an unreadable spec also keeps the last valid one', () => {
  const plane = planeOf([...withoutLedger, timeout('p', '1s')]);
  settle(plane, options);
  const before = outputs(plane);
  set(plane, shapeless('p'));
  assert.equal(outputs(plane), before);
  assert.equal(
    statusOf(plane, 'p')?.reports.map(({ code }) => code),
    ['INVALID_SCHEMA', 'USING_LAST_KNOWN_GOOD'],
  );
  set(plane, timeout('p', '2s'));
  assert.is(statusOf(plane, 'p')?.state, 'ACCEPTED');
  assert.not.equal(outputs(plane), before);
});

test('the last accepted edit stays effective', () => {
  const plane = planeOf([...withoutLedger, timeout('p', '1s')]);
  settle(plane, options);
  set(plane, timeout('p', '2s'));
  settle(plane, options);
  const before = outputs(plane);
  set(plane, timeout('p', 'nonsense'));
  assert.equal(outputs(plane), before);
});

for (const [what, broken] of [
  ['invalid', timeout('p', 'nonsense')],
  ['unreadable', shapeless('p')],
] as const) {
  test(`after a restart, or on another replica, the ledger alone keeps the last valid spec of an ${what} policy`, () => {
    const plane = planeOf([...withoutLedger, timeout('p', '1s')]);
    settle(plane, options);
    set(plane, broken);
    const other = planeOf([...withoutLedger, ...ledgerOf(plane), broken]);
    assert.equal(outputs(other), outputs(plane));
    assert.equal(statusOf(other, 'p'), statusOf(plane, 'p'));
  });
}

test('a stored spec that stricter rules now reject is not effective', () => {
  const plane = planeOf([...withoutLedger, timeout('p', '1s')]);
  settle(plane, options);
  const without = outputs(planeOf([...withoutLedger, ...ledgerOf(plane)]));
  const stricter = ledgerOf(plane).map(({ cluster, object }): Placed => {
    return { cluster, object: JSON.parse(JSON.stringify(object).replaceAll('"1s"', '"1 second"')) as Ledger };
  });
  const other = planeOf([...withoutLedger, ...stricter, timeout('p', 'nonsense')]);
  assert.equal(outputs(other), without);
  assert.is(statusOf(other, 'p')?.state, 'INVALID');
  assert.equal(
    statusOf(other, 'p')?.reports.map(({ code }) => code),
    ['INVALID_VALUE'],
  );
});

test('after an invalid edit, a virtual mesh or workspace keeps its meshes or namespaces, also after a restart', () => {
  const mesh = (name: string, meshes: readonly object[]): Placed => {
    const apiVersion = 'networking.meshrelay.dev/v1alpha1';
    const metadata = { name, namespace: 'policies' };
    return {
      cluster: '',
      object: { apiVersion, kind: 'VirtualMesh', metadata, spec: { meshes } } as unknown as KubeObject,
    };
  };
  const workspace = (name: string, clusters: readonly object[]): Placed => {
    const apiVersion = 'admin.meshrelay.dev/v1alpha1';
    const metadata = { name, namespace: 'meshrelay' };
    return {
      cluster: '',
      object: { apiVersion, kind: 'Workspace', metadata, spec: { clusters } } as unknown as KubeObject,
    };
  };
  const claimed = [{ name: 'c1', namespaces: [{ name: 'y' }] }];
  const plane = planeOf([...withoutLedger, workspace('early', claimed), timeout('p', '1s')]);
  settle(plane, options);
  const before = outputs(plane);
  const edited = [
    mesh('base', []),
    workspace('early', [{ name: 'c1', namespaces: [{ name: 'y', labels: { a: 'b' } }] }]),
  ];
  const conflictingObjects = [
    mesh('a-conflict', [{ name: 'cp-fake-c1', namespace: 'meshrelay' }]),
    workspace('a-conflict', claimed),
  ];
  for (const one of [...edited, ...conflictingObjects]) set(plane, one);
  const restarted = planeOf([
    ...withoutLedger,
    timeout('p', '1s'),
    ...ledgerOf(plane),
    ...conflictingObjects,
    ...edited,
  ]);
  for (const one of [plane, restarted]) {
    assert.equal(outputs(one), before);
    for (const name of ['base', 'early']) {
      assert.is(statusOf(one, name)?.state, 'INVALID');
      assert.ok(statusOf(one, name)?.reports.some(({ code }) => code === 'USING_LAST_KNOWN_GOOD'));
    }
    const conflictStates = [...one.statuses.entries()]
      .filter(([, { ref }]) => ref.name === 'a-conflict')
      .map(([, { status }]) => status.state);
    assert.equal(conflictStates, ['CONFLICT', 'CONFLICT']);
  }
});

test('a policy that was never accepted has no last valid spec', () => {
  const plane = planeOf([...withoutLedger, timeout('p', 'nonsense'), shapeless('q')]);
  settle(plane, options);
  for (const name of ['p', 'q']) {
    assert.is(statusOf(plane, name)?.state, 'INVALID');
    assert.is(statusOf(plane, name)?.reports.length, 1);
  }
  assert.is(plane.fleetState.ledgerPolicies.size, 1, 'the virtual mesh alone');
});

test('a policy recreated under the same name is a new policy: a new sequence number, and not the old spec', () => {
  const plane = planeOf([...withoutLedger, timeout('m', '1s', { uid: 'one' }), timeout('z', '1s', { uid: 'z' })]);
  settle(plane, options);
  const turn = (name: string) =>
    [...plane.fleetState.ledgerPolicies.entries()].map(([, one]) => one).find((one) => one.name === name)?.sequence ??
    0;
  assert.ok(turn('m') < turn('z'));
  set(plane, timeout('m', 'nonsense', { uid: 'two' }));
  assert.equal(
    statusOf(plane, 'm')?.reports.map(({ code }) => code),
    ['INVALID_VALUE'],
  );
  set(plane, timeout('m', '1s', { uid: 'two' }));
  settle(plane, options);
  assert.ok(turn('m') > turn('z'));
});

test('deleting the policy ends its effect, and deletes its ledger entry once its cluster is synced', () => {
  const plane = planeOf([...withoutLedger, timeout('p', '1s'), timeout('q', '1s', { cluster: 'c1' })]);
  settle(plane, options);
  set(plane, timeout('p', 'nonsense'));
  const says1s = (line: string): boolean => line.includes('"timeoutMs":{');
  assert.ok(outputs(plane).some(says1s));
  remove(plane, timeout('p', 'nonsense'));
  remove(plane, timeout('q', '1s', { cluster: 'c1' }));
  assert.equal([...plane.pendingDecisions.gone.entries()].map(([, { name }]) => name).sort(), ['p', 'q']);
  const known = (cluster: string) =>
    decide(plane.fleetState, plane.pendingDecisions, sha256, (one) => one === cluster)?.gone ?? [];
  assert.equal(
    known('').map(({ name }) => name),
    ['p'],
  );
  assert.equal(
    known('c1').map(({ name }) => name),
    ['q'],
  );
  assert.is(
    decide(plane.fleetState, plane.pendingDecisions, sha256),
    undefined,
    'nothing of an unsynced kind is deleted',
  );
  assert.not.ok(outputs(plane).some(says1s));
});

test('an unreadable policy still exists: its ledger entry stays', () => {
  const plane = planeOf([...withoutLedger, timeout('p', '1s')]);
  settle(plane, options);
  set(plane, shapeless('p'));
  assert.is(plane.pendingDecisions.gone.size, 0);
});

test('a ledger entry of a kind that only a newer release knows stays', () => {
  const entry = { kind: 'FuturePolicy', cluster: '', namespace: 'n', name: 'p', sequence: 7 };
  const metadata = { name: 'newer', namespace: 'meshrelay' };
  const ledger = { apiVersion: 'admin.meshrelay.dev/v1alpha1', kind: 'Ledger', metadata, spec: { policies: [entry] } };
  const plane = planeOf([...withoutLedger, { cluster: '', object: ledger as unknown as KubeObject }]);
  assert.is(plane.pendingDecisions.gone.size, 0);
});

test('an edit of an unrelated field changes no winner, and neither does a restart', () => {
  const plane = planeOf([...withoutLedger, timeout('m', '1s')]);
  settle(plane, options);
  set(plane, timeout('a', '2s'));
  settle(plane, options);
  const winners = (of: ControlPlane) => ['m', 'a'].map((name) => statusOf(of, name)?.state);
  set(plane, policy('m', { requestTimeout: '1s', retries: { attempts: 2 } }));
  settle(plane, options);
  assert.equal(winners(plane), ['ACCEPTED', 'CONFLICT']);
  const placed = [policy('m', { requestTimeout: '1s', retries: { attempts: 2 } }), timeout('a', '2s')];
  assert.equal(winners(planeOf([...withoutLedger, ...ledgerOf(plane), ...placed.toReversed()])), winners(plane));
});

/** The same policy for all destinations. */
const everywhere = ({ cluster, object }: Placed): Placed => {
  const { destinationSelector: _named, ...spec } = object.spec as Record<string, unknown>;
  return { cluster, object: { ...object, spec } as unknown as KubeObject };
};
const turnOf = ({ fleetState }: ControlPlane, name: string): number | undefined =>
  [...fleetState.ledgerPolicies.entries()].map(([, one]) => one).find((one) => one.name === name)?.sequence;

test('an edit keeps its place before a later policy that is effective elsewhere', () => {
  const plane = planeOf([...withoutLedger, timeout('m', '1s')]);
  settle(plane, options);
  set(plane, everywhere(timeout('a', '2s')));
  settle(plane, options);
  const steps = [turnOf(plane, 'm'), turnOf(plane, 'a')];
  assert.ok((steps[0] ?? 0) < (steps[1] ?? 0), 'both are applied somewhere');
  const edited = policy('m', { requestTimeout: '1s', retries: { attempts: 2 } });
  set(plane, edited);
  settle(plane, options);
  assert.equal([turnOf(plane, 'm'), turnOf(plane, 'a')], steps);
  const restarted = planeOf([...withoutLedger, everywhere(timeout('a', '2s')), edited, ...ledgerOf(plane)]);
  for (const one of [plane, restarted]) {
    assert.is(statusOf(one, 'm')?.state, 'ACCEPTED');
    const lost = statusOf(one, 'a')?.targets.filter(({ state }) => state === 'CONFLICT') ?? [];
    assert.equal(
      lost.map(({ cluster, name }) => [cluster, name]),
      [['c1', 'b']],
    );
  }
});

test('a policy without any effect has no sequence number: in conflict on every target, or pending', () => {
  const plane = planeOf([...withoutLedger, timeout('m', '1s')]);
  settle(plane, options);
  const target = { name: 'later', namespace: 'y', clusterName: 'c1' };
  set(plane, timeout('loses', '2s'));
  set(plane, policy('waits', { mirror: { kubeService: target } }));
  settle(plane, options);
  assert.equal([statusOf(plane, 'loses')?.state, statusOf(plane, 'waits')?.state], ['CONFLICT', 'PENDING']);
  assert.equal([turnOf(plane, 'loses'), turnOf(plane, 'waits')], [undefined, undefined]);
  remove(plane, timeout('m', '1s'));
  settle(plane, options);
  assert.ok(turnOf(plane, 'loses') !== undefined, 'it has its sequence once it is applied');
});

test('workspaces and their settings always get a sequence number: they apply where no earlier one conflicts', () => {
  const admin = (kind: string, name: string, namespace: string, spec: object): Placed => {
    const object = { apiVersion: 'admin.meshrelay.dev/v1alpha1', kind, metadata: { name, namespace }, spec };
    return { cluster: '', object: object as unknown as KubeObject };
  };
  const claims = (...names: readonly string[]) => ({
    clusters: [{ name: '', namespaces: names.map((name) => ({ name })) }],
  });
  const plane = planeOf([...withoutLedger, admin('Workspace', 'm', 'meshrelay', claims('team'))]);
  settle(plane, options);
  set(plane, admin('Workspace', 'z', 'meshrelay', claims('team', 'other')));
  set(plane, admin('WorkspaceSettings', 'waits', 'nowhere', {}));
  settle(plane, options);
  set(plane, admin('Workspace', 'a', 'meshrelay', claims('other')));
  assert.equal([statusOf(plane, 'z')?.state, statusOf(plane, 'a')?.state], ['CONFLICT', 'CONFLICT']);
  assert.is(statusOf(plane, 'waits')?.state, 'PENDING');
  assert.ok(turnOf(plane, 'waits') !== undefined);
  assert.match(statusOf(plane, 'a')?.reports[0]?.message ?? '', 'Workspace z was accepted earlier');
});

test('a decision made before the policy had a uid adopts it, and keeps its sequence number', () => {
  const plane = planeOf([...withoutLedger, timeout('m', '1s'), timeout('a', '1s')]);
  settle(plane, options);
  const turn = turnOf(plane, 'm');
  set(plane, timeout('m', '1s', { uid: 'one' }));
  settle(plane, options);
  const decision = [...plane.fleetState.ledgerPolicies.entries()]
    .map(([, one]) => one)
    .find(({ name }) => name === 'm');
  assert.equal([decision?.uid, decision?.sequence], ['one', turn]);
  set(plane, timeout('m', 'nonsense', { uid: 'two' }));
  assert.equal(
    statusOf(plane, 'm')?.reports.map(({ code }) => code),
    ['INVALID_VALUE'],
    'what was accepted was another of its name',
  );
});

test('the winner keeps its field with its last valid spec', () => {
  const plane = planeOf([...withoutLedger, timeout('m', '1s')]);
  settle(plane, options);
  set(plane, timeout('m', 'nonsense'));
  set(plane, timeout('a', '2s'));
  assert.is(statusOf(plane, 'a')?.state, 'CONFLICT');
});

test('storing an edit writes one shard; unchanged decisions are not written', () => {
  const names = Array.from({ length: 30 }, (_, index) => `p${index}`);
  const plane = planeOf([...withoutLedger, ...names.map((name) => timeout(name, '1s'))]);
  settle(plane, options);
  set(plane, timeout('p7', '1s'));
  assert.is(decide(plane.fleetState, plane.pendingDecisions, sha256), undefined);
  set(plane, policy('p7', { requestTimeout: '1s', retries: { attempts: 1 } }));
  const decisions = decide(plane.fleetState, plane.pendingDecisions, sha256);
  assert.equal(
    decisions?.policies.map(({ name }) => name),
    ['p7'],
  );
});

test.run();
