/** A plugin that throws: none of its output is applied, and the affected policies get a report until it works again. */
import type { KubeObject } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import { sourcePoliciesOf } from '../../src/translate/attempts.ts';
import { BASE } from '../support/base-fleet.ts';
import { type ControlPlane, canonicalJson, type DestinationView, type Output } from '../support/core.ts';
import { fakePlugin } from '../support/fake-plugin.ts';
import { apply, planeOf } from '../support/fleet-states.ts';
import type { Placed } from '../support/placed.ts';

function policy(name: string, service: string, attempts: number): Placed {
  const spec = {
    destinationSelector: [{ kubeServiceRefs: { services: [{ ...naming(service), clusterName: 'c1' }] } }],
    policy: { retries: { attempts } },
  };
  const apiVersion = 'networking.meshrelay.dev/v1alpha1';
  const object = { apiVersion, kind: 'TrafficPolicy', metadata: { name, namespace: 'n' }, spec };
  return { cluster: '', object: object as unknown as KubeObject };
}
const naming = (service: string) => (service === 'b' ? { name: 'b', namespace: 'y' } : { name: 'a', namespace: 'x' });
const set = (plane: ControlPlane, one: Placed): void => apply(plane, [{ ...one, gone: false }]);
const statusOf = ({ statuses }: ControlPlane, name: string) =>
  [...statuses.entries()].map(([, one]) => one).find(({ ref }) => ref.name === name)?.status;
const sheets = ({ desired }: ControlPlane, name: string): string[] =>
  [...desired.entries()].filter(([, { object }]) => object.metadata.name === name).map(([, one]) => canonicalJson(one));

/** Fails on any view with this number of attempts. */
function failingAt(attempts: number) {
  const sound = fakePlugin();
  return fakePlugin({
    translateDestination(view: DestinationView, out: Output) {
      if (view.routes.some(({ actions }) => actions.retries?.value.attempts === attempts)) throw new Error('poison');
      sound.plugin.translateDestination?.(view, out, undefined);
    },
  });
}

test('its last valid output stays, and the source policies of the view fail', () => {
  const plane = planeOf([...BASE, policy('p', 'b', 1), policy('other', 'a', 1)], failingAt(2));
  const before = sheets(plane, 'local.b');
  assert.is(before.length, 1);
  set(plane, policy('p', 'b', 2));
  assert.equal(sheets(plane, 'local.b'), before);
  const status = statusOf(plane, 'p');
  assert.is(status?.state, 'FAILED');
  const [report] = status?.targets[0]?.reports ?? [];
  assert.is(report?.code, 'PLUGIN_FAILED');
  assert.match(report?.message ?? '', /^plugin fake failed here, .*: poison; report it/);
  assert.is(statusOf(plane, 'other')?.state, 'ACCEPTED');
  const faults = [...plane.graph.quarantined.entries()].map(([, { error }]) => String(error));
  assert.equal(faults, ['Error: plugin fake: poison'], 'hosts log and count it');
  set(plane, policy('p', 'b', 3));
  assert.is(statusOf(plane, 'p')?.state, 'ACCEPTED');
  assert.not.equal(sheets(plane, 'local.b'), before);
  assert.is(plane.graph.quarantined.size, 0);
});

test('if a plugin cannot assemble an object, the previous one stays', () => {
  const sound = fakePlugin();
  const plugin = fakePlugin({
    assemble(object, parts, settings) {
      if (object.cluster === 'c1' && parts.some(({ slot }) => slot.startsWith('reach '))) throw new Error('too much');
      return sound.plugin.assemble?.(object, parts, settings) as never;
    },
  });
  const few = BASE.filter(({ object }) => object.kind !== 'VirtualMesh');
  const plane = planeOf([...few, policy('p', 'b', 1)], plugin);
  const bag = () => sheets(plane, 'bag').filter((line) => line.includes('"cluster":"c1"'));
  const before = bag();
  assert.is(before.length, 1);
  apply(
    plane,
    BASE.map((one) => ({ ...one, gone: false })),
  );
  assert.is(plane.graph.quarantined.size, 1);
  assert.equal(bag(), before);
  assert.is(statusOf(plane, 'base')?.state, 'FAILED');
});

test('every policy in a view is found, each once', () => {
  const ref = (name: string, kind = 'TrafficPolicy') => ({ kind, cluster: '', namespace: 'n', name });
  const view = {
    destination: { name: 'a', namespace: 'x', cluster: 'c1' },
    routes: [{ from: [ref('b'), ref('a')], actions: { retries: { value: {}, from: [ref('b')] } } }],
    exported: { virtualMesh: ref('v', 'VirtualMesh') },
  };
  assert.equal(
    sourcePoliciesOf(view).map(({ name }) => name),
    ['a', 'b', 'v'],
  );
});

test.run();
