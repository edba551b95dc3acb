/** Plans: the differences between two fleets, their locations, causes and blast radius. */
import type { KubeObject } from '@meshrelay/api';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { BASE } from '../support/base-fleet.ts';
import {
  type ControlPlane,
  canonicalJson,
  isEmptyPlan,
  type ObjectChange,
  type PlanDocument,
  plan,
} from '../support/core.ts';
import { placedObject } from '../support/fleet-objects.ts';
import { finalState, planeOf } from '../support/fleet-states.ts';
import type { Placed } from '../support/placed.ts';

function traffic(name: string, rules: object, destination = 'a', more: object = {}): Placed {
  const services = [{ name: destination, namespace: destination === 'b' ? 'y' : 'x', clusterName: 'c1' }];
  const object = {
    apiVersion: 'networking.meshrelay.dev/v1alpha1',
    kind: 'TrafficPolicy',
    metadata: { name, namespace: 'policies' },
    spec: { destinationSelector: [{ kubeServiceRefs: { services } }], policy: rules, ...more },
  };
  return { cluster: '', object: object as unknown as KubeObject };
}

function planned(before: readonly Placed[], after: readonly Placed[]): PlanDocument {
  return plan(planeOf([...BASE, ...before]), planeOf([...BASE, ...after]));
}

const named = (changes: readonly ObjectChange[]) => changes.map(({ change, name }) => `${change} ${name}`);
const names = (refs: ReadonlyArray<{ readonly name: string }>) => refs.map(({ name }) => name);

test('the same fleet twice: an empty plan', () => {
  const document = planned([traffic('slow', { requestTimeout: '5s' })], [traffic('slow', { requestTimeout: '5s' })]);
  assert.ok(isEmptyPlan(document), JSON.stringify(document));
  assert.equal(document.blastRadius, { clusters: 0, destinations: 0, created: 0, changed: 0, deleted: 0 });
});

test('a changed value of one policy: its destination in its own and in calling clusters, and the fields', () => {
  const document = planned(
    [traffic('slow', { requestTimeout: '5s' }), traffic('other', { requestTimeout: '5s' }, 'b')],
    [traffic('slow', { requestTimeout: '6s' }), traffic('other', { requestTimeout: '5s' }, 'b')],
  );
  assert.equal(
    document.clusters.map(({ cluster, objects }) => [cluster, named(objects)]),
    [
      ['c1', ['changed local.a']],
      ['c2', ['changed reach.a.c1']],
      ['c3', ['changed reach.a.c1']],
    ],
  );
  assert.equal(document.blastRadius, { clusters: 3, destinations: 1, created: 0, changed: 3, deleted: 0 });
  assert.equal(document.destinations, [
    { destination: { kind: 'Destination', cluster: 'c1', namespace: 'x', name: 'a' }, clusters: ['c1', 'c2', 'c3'] },
  ]);
  const [own] = document.clusters[0]?.objects ?? [];
  assert.equal(own?.fields, [{ path: 'spec.view.routes[0].actions.timeoutMs.value', before: 5000, after: 6000 }]);
  assert.equal([names(own?.sourcePolicies ?? []), names(own?.causedBy ?? [])], [['slow'], ['slow']]);
  assert.equal(
    document.policies.map(({ policy, change, before, after }) => [policy.name, change, before, after]),
    [['slow', 'changed', 'ACCEPTED', 'ACCEPTED']],
  );
});

test('deleting a policy lets the one it conflicted with take effect, and both are causes', () => {
  const [first, second] = [traffic('first', { requestTimeout: '5s' }), traffic('second', { requestTimeout: '6s' })];
  const document = planned([first, second], [second]);
  const [own] = document.clusters[0]?.objects ?? [];
  assert.equal(names(own?.causedBy ?? []), ['first', 'second']);
  assert.equal(
    document.policies.map(({ policy, change, before, after }) => [policy.name, change, before, after]),
    [
      ['first', 'deleted', 'ACCEPTED', undefined],
      ['second', 'unchanged', 'CONFLICT', 'ACCEPTED'],
    ],
  );
});

test('a policy that changes no object is listed with its errors', () => {
  const document = planned([], [traffic('wrong', { retries: { attempts: -1 } })]);
  assert.equal(document.clusters, []);
  assert.ok(!isEmptyPlan(document));
  const [wrong] = document.policies;
  assert.equal([wrong?.policy.name, wrong?.change, wrong?.after], ['wrong', 'created', 'INVALID']);
  assert.match(wrong?.pendingUpdates[0] ?? '', 'must be at least 0');
});

test('changes of discovered objects that no policy caused', () => {
  const gone = BASE.filter(({ cluster, object }) => !(cluster === 'c1' && object.metadata.name === 'b'));
  const document = plan(planeOf(BASE), planeOf(gone));
  const all = document.clusters.flatMap(({ objects }) => objects);
  const deleted = all.filter(({ change }) => change === 'deleted');
  assert.ok(deleted.length > 0, JSON.stringify(named(all)));
  assert.ok(deleted.every(({ targets, fields }) => names(targets).includes('b') && fields.length === 0));
  assert.ok(all.every(({ causedBy }) => causedBy.length === 0));
  // A bag with a part of every destination lists the deleted one only as its target.
  const bags = all.filter(({ kind, change }) => kind === 'Bag' && change === 'changed');
  assert.ok(bags.length > 0);
  for (const { targets } of bags) assert.equal(names(targets), ['b']);
});

test('a plan and its reverse mirror each other', () => {
  const [some, none] = [[traffic('slow', { requestTimeout: '5s' })], []];
  const [there, back] = [planned(none, some), planned(some, none)];
  const mirror = { created: 'deleted', deleted: 'created', changed: 'changed' } as const;
  const turned = back.clusters.map(({ cluster, objects }) => [
    cluster,
    objects.map(({ change, name }) => `${mirror[change]} ${name}`),
  ]);
  assert.equal(
    there.clusters.map(({ cluster, objects }) => [cluster, named(objects)]),
    turned,
  );
});

test('for any two fleets the plan has exactly the differing objects; for one fleet it is empty', () => {
  const fleets = fc
    .array(placedObject, { maxLength: 12 })
    .map((some) => [...BASE, ...some].map((one) => ({ ...one, gone: false })));
  fc.assert(
    fc.property(fleets, fleets, (one, other) => {
      const [before, after] = [planeOf(finalState([one])), planeOf(finalState([other]))];
      assert.ok(isEmptyPlan(plan(before, before)));
      const texts = ({ desired }: ControlPlane) =>
        new Map([...desired.entries()].map(([output, { object }]) => [output, canonicalJson(object)]));
      const [old, now] = [texts(before), texts(after)];
      const differing = [...new Set([...old.keys(), ...now.keys()])].filter((id) => old.get(id) !== now.get(id));
      const { clusters, blastRadius } = plan(before, after);
      const objects = clusters.flatMap((cluster) => cluster.objects);
      assert.is(objects.length, differing.length);
      assert.is(blastRadius.created + blastRadius.changed + blastRadius.deleted, differing.length);
      for (const { change, fields, targets } of objects) {
        assert.is(fields.length > 0, change === 'changed');
        assert.ok(targets.length > 0);
      }
    }),
    { numRuns: scaledRuns(60) },
  );
});

test.run();
