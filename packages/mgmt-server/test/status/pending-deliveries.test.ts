/** Outputs of policies by cluster, and those that are still pending. */
import {
  createGraph,
  type DesiredObject,
  desiredKey,
  type Key,
  policyKey,
  type ResourceKind,
} from '@meshrelay/relay-core';
import { assert, test } from '@meshrelay/testing';
import { PendingDeliveries } from '../../src/status/pending-deliveries.ts';

const kind: ResourceKind = { group: 'g', version: 'v1', kind: 'K', plural: 'ks', namespaced: true };
const ref = (name: string) => ({ kind: 'TrafficPolicy', cluster: '', namespace: 'n', name });
const idOf = (name: string): Key => policyKey(ref(name));
const output = (cluster: string, name: string): Key => desiredKey(cluster, kind, 'n', name);

function desired(cluster: string, name: string, policies: readonly string[], content = 1): DesiredObject {
  const object = { apiVersion: 'g/v1', kind: 'K', metadata: { name, namespace: 'n' }, content };
  return { cluster, kind, plugin: 'p', object, sourcePolicies: policies.map(ref) };
}

function fixture(...first: readonly DesiredObject[]) {
  const graph = createGraph();
  const source = graph.source<DesiredObject>('desired');
  const keyOf = ({ cluster, object }: DesiredObject): Key => output(cluster, object.metadata.name);
  const set = (...objects: readonly DesiredObject[]) =>
    graph.commit((transaction) => {
      for (const one of objects) transaction.set(source, keyOf(one), one);
    });
  set(...first);
  const deliveries = new PendingDeliveries(source);
  return {
    deliveries,
    set: (...objects: readonly DesiredObject[]) => [...deliveries.follow(set(...objects))],
    drop: (one: DesiredObject) => [
      ...deliveries.follow(graph.commit((transaction) => transaction.delete(source, keyOf(one)))),
    ],
  };
}

test('initial and new outputs are pending until they are accepted', () => {
  const { deliveries, set } = fixture(desired('c1', 'a', ['one', 'two']));
  assert.equal(deliveries.of(idOf('one')), [{ cluster: 'c1', total: 1, pending: 1 }]);
  assert.equal(set(desired('c1', 'b', ['one'])), [], 'the policy waits for the cluster as before');
  assert.equal([...deliveries.taken('c1', [output('c1', 'a')])], [idOf('two')]);
  assert.equal(deliveries.of(idOf('one')), [{ cluster: 'c1', total: 2, pending: 1 }]);
  assert.equal([...deliveries.taken('c1', [output('c1', 'b'), output('c1', 'unknown')])], [idOf('one')]);
  assert.equal([...deliveries.taken('c1', [output('c1', 'b')])], [], 'twice is once');
});

test('a change is pending again, also for policies it no longer or newly belongs to', () => {
  const { deliveries, set } = fixture(desired('c1', 'a', ['one', 'two']));
  for (const _ of deliveries.taken('c1', [output('c1', 'a')]));
  assert.equal(set(desired('c1', 'a', ['two', 'three'], 2)).sort(), [idOf('one'), idOf('two'), idOf('three')].sort());
  assert.equal(deliveries.of(idOf('one')), []);
  assert.equal(deliveries.of(idOf('three')), [{ cluster: 'c1', total: 1, pending: 1 }]);
});

test('deleted outputs are not pending', () => {
  const { deliveries, drop } = fixture(desired('c1', 'a', ['one']), desired('c2', 'a', ['one']));
  assert.equal(
    deliveries.of(idOf('one')).map(({ cluster }) => cluster),
    ['c1', 'c2'],
  );
  assert.equal(drop(desired('c1', 'a', ['one'])), [idOf('one')]);
  assert.equal(deliveries.of(idOf('one')), [{ cluster: 'c2', total: 1, pending: 1 }]);
  assert.equal([deliveries.policiesIn('c1'), deliveries.policiesIn('c2')], [[], [idOf('one')]]);
});

test('a cluster that has everything has all except rejected outputs', () => {
  const { deliveries } = fixture(desired('c1', 'a', ['one']), desired('c1', 'b', ['two']), desired('c2', 'a', ['one']));
  assert.equal([...deliveries.settled('c1', (one) => one === output('c1', 'b'))], [idOf('one')]);
  assert.equal(deliveries.of(idOf('one')), [
    { cluster: 'c1', total: 1, pending: 0 },
    { cluster: 'c2', total: 1, pending: 1 },
  ]);
  assert.is(deliveries.of(idOf('two'))[0]?.pending, 1);
});

test.run();
