/** The random fleets for the properties of the control plane cover every state and every kind of view. */
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { finalState, histories, planeOf } from './support/fleet-states.ts';

test('the fleets are relevant: every state and every kind of view occurs', () => {
  const states = new Set<string>();
  const kinds = new Map<string, number>();
  for (const history of fc.sample(histories, { numRuns: 150, seed: 4 })) {
    const { statuses, desired } = planeOf(finalState(history));
    for (const [, { status }] of statuses.entries()) states.add(status.state);
    for (const [, { object }] of desired.entries()) {
      const [kind = ''] = object.metadata.name.split('.');
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
  }
  assert.equal([...states].sort(), ['ACCEPTED', 'CONFLICT', 'DEGRADED', 'INVALID', 'PENDING']);
  for (const kind of ['local', 'reach', 'virtual', 'mesh', 'bag'])
    assert.ok((kinds.get(kind) ?? 0) >= 10, `${kind}: ${kinds.get(kind)}`);
});

test.run();
