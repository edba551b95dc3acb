/**
 * Properties of the control plane for random fleets: incremental updates equal a build from scratch, and errors stay
 * isolated.
 */

import type { DestinationView, MeshView, Output } from '@meshrelay/plugin';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { fakePlugin } from './support/fake-plugin.ts';
import {
  apply,
  desiredIn,
  emptyPlane,
  finalState,
  histories,
  planeOf,
  saidBy,
  smallPages,
} from './support/fleet-states.ts';

const RUNS = scaledRuns(300);

test('incremental updates equal a build from scratch, byte for byte', () => {
  fc.assert(
    fc.property(histories, (history) => {
      const plane = emptyPlane();
      for (const events of history) apply(plane, events);
      assert.is(
        plane.graph.quarantined.size,
        0,
        JSON.stringify(
          [...plane.graph.quarantined.entries()].map(([, { node, key, error }]) => [node, key, String(error)]),
        ),
      );
      assert.equal(saidBy(plane), saidBy(planeOf(finalState(history))));
    }),
    { numRuns: RUNS },
  );
});

test('packing objects between commits changes nothing', () => {
  fc.assert(
    fc.property(histories, (history) => {
      const plane = emptyPlane(undefined, smallPages);
      for (const events of history) {
        apply(plane, events);
        plane.compact();
      }
      assert.equal(saidBy(plane), saidBy(planeOf(finalState(history))));
    }),
    { numRuns: Math.ceil(RUNS / 3) },
  );
});

test('the order in which objects arrive does not matter', () => {
  fc.assert(
    fc.property(histories, fc.infiniteStream(fc.nat()), (history, random) => {
      const state = finalState(history);
      const shuffled = state.map((one) => [random.next().value, one] as const).sort(([a], [b]) => a - b);
      const plane = emptyPlane();
      for (const [, one] of shuffled) apply(plane, [{ ...one, gone: false }]);
      assert.equal(saidBy(plane), saidBy(planeOf(state)));
    }),
    { numRuns: Math.ceil(RUNS / 3) },
  );
});

test('sending everything again changes nothing', () => {
  fc.assert(
    fc.property(histories, (history) => {
      const state = finalState(history);
      const plane = planeOf(state);
      let changes = 0;
      plane.graph.subscribe(({ size }) => {
        changes += size;
      });
      apply(
        plane,
        structuredClone(state).map((one) => ({ ...one, gone: false })),
      );
      assert.is(changes, 0);
    }),
    { numRuns: Math.ceil(RUNS / 3) },
  );
});

test('a plugin that throws in one cluster changes nothing in the others', () => {
  const throwsInC1 = fakePlugin({
    translateDestination(view: DestinationView, out: Output) {
      if (view.destination.cluster === 'c1') throw new Error('poison');
      sound.plugin.translateDestination?.(view, out, undefined);
    },
    translateMesh(view: MeshView, out: Output) {
      if (view.mesh.cluster === 'c1') throw new Error('poison');
      sound.plugin.translateMesh?.(view, out, undefined);
    },
  });
  const sound = fakePlugin();
  fc.assert(
    fc.property(histories, (history) => {
      const state = finalState(history);
      const [poisoned, healthy] = [planeOf(state, throwsInC1), planeOf(state, sound)];
      assert.equal(desiredIn(poisoned, ['c2', 'c3']), desiredIn(healthy, ['c2', 'c3']));
    }),
    { numRuns: Math.ceil(RUNS / 3) },
  );
});

test('an object that no stage can read changes nothing in other clusters', () => {
  const unreadable = ['Destination', 'Mesh'].map((kind) => ({
    cluster: 'c1',
    gone: false,
    object: {
      apiVersion: 'discovery.meshrelay.dev/v1alpha1',
      kind,
      metadata: { name: 'unreadable', namespace: 'x' },
      spec: {} as never,
    },
  }));
  fc.assert(
    fc.property(histories, (history) => {
      const plane = planeOf(finalState(history));
      const before = desiredIn(plane, ['c2', 'c3']);
      apply(plane, unreadable);
      assert.equal(desiredIn(plane, ['c2', 'c3']), before);
    }),
    { numRuns: Math.ceil(RUNS / 3) },
  );
});

test.run();
