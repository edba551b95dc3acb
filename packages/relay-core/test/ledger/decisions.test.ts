/** Decisions: made once, in a fixed order, and stored. */
import type { KubeObject } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import { decide, settle } from '../../src/mod.ts';
import { BASE } from '../support/base-fleet.ts';
import { fakePlugin } from '../support/fake-plugin.ts';
import { apply, planeOf } from '../support/fleet-states.ts';
import { sha256 } from '../support/hash.ts';
import type { Placed } from '../support/placed.ts';

const options = { plugins: [fakePlugin()], hash: sha256 };
const withoutLedger = BASE.filter(({ object }) => object.kind !== 'Ledger');

function policy(name: string, timeout: string): Placed {
  const spec = {
    destinationSelector: [{ kubeServiceRefs: { services: [{ name: 'b', namespace: 'y', clusterName: 'c1' }] } }],
    policy: { requestTimeout: timeout },
  };
  return {
    cluster: '',
    object: {
      apiVersion: 'networking.meshrelay.dev/v1alpha1',
      kind: 'TrafficPolicy',
      metadata: { name, namespace: 'n' },
      spec,
    } as unknown as KubeObject,
  };
}

test('pending decisions are made in one order; afterwards none is pending', () => {
  const plane = planeOf([...withoutLedger, policy('b', '1s'), policy('a', '1s')]);
  const decisions = decide(plane.fleetState, plane.pendingDecisions, sha256);
  assert.equal(
    decisions?.policies.map(({ name, sequence }) => [name, sequence]),
    [
      ['a', 1],
      ['b', 2],
      ['base', 3],
    ],
  );
  assert.ok((decisions?.vips.length ?? 0) > 0);
  settle(plane, options);
  assert.is(decide(plane.fleetState, plane.pendingDecisions, sha256), undefined);
});

test('a host without an address is pending, and no object is generated for it', () => {
  const plane = planeOf(withoutLedger);
  const reaches = () =>
    [...plane.desired.entries()].filter(([, { object }]) => object.metadata.name.startsWith('reach.')).length;
  assert.is(reaches(), 0);
  settle(plane, options);
  assert.ok(reaches() > 0);
});

test('the policy accepted first stays first, even if a later one sorts before it by name', () => {
  const plane = planeOf([...withoutLedger, policy('m', '1s')]);
  settle(plane, options);
  apply(plane, [{ ...policy('a', '2s'), gone: false }]);
  settle(plane, options);
  const states = Object.fromEntries(
    [...plane.statuses.entries()].map(([, { ref, status }]) => [ref.name, status.state]),
  );
  assert.is(states['m'], 'ACCEPTED');
  assert.is(states['a'], 'CONFLICT');
  apply(plane, [{ ...policy('m', '3s'), gone: false }]);
  const after = Object.fromEntries(
    [...plane.statuses.entries()].map(([, { ref, status }]) => [ref.name, status.state]),
  );
  assert.is(after['m'], 'ACCEPTED', 'an edit does not lose the turn');
});

test.run();
