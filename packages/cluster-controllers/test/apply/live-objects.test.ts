/** The view of written kinds follows the watch and the agent's own writes. */
import type { KubeObject } from '@meshrelay/api';
import { output } from '@meshrelay/test-cluster';
import { assert, test } from '@meshrelay/testing';
import { LiveObjects } from '../../src/apply/live-objects.ts';
import type { Tick } from '../../src/input/tick.ts';
import { KINDS, subject, written } from './outputs.ts';

const KIND = written('VirtualService');
const at = (name: string, resourceVersion: string, uid = 'u1'): KubeObject => {
  const object = output('VirtualService', name);
  return { ...object, metadata: { ...object.metadata, uid, resourceVersion } };
};
const tick = (change: Partial<Tick>): Tick => ({ all: false, upserts: [], removed: [], complete: false, ...change });

function view() {
  const changed: string[] = [];
  const known: string[] = [];
  const live = new LiveObjects(KINDS.all);
  live.listen({ changed: (id) => changed.push(id), becameKnown: (kind) => known.push(kind.kind) });
  const version = (name: string) => live.get(KIND, subject(name).id)?.object.metadata.resourceVersion;
  return { live, changed, known, version };
}

test('a list replaces everything and syncs the kind; missing objects are reported', () => {
  const { live, changed, known, version } = view();
  assert.not(live.knows(KIND));
  live.take(KIND, tick({ all: true, upserts: [at('a', '1'), at('b', '2')], complete: true }));
  assert.ok(live.knows(KIND));
  assert.not(live.knowsAll);
  assert.equal(known, ['VirtualService']);
  changed.length = 0;
  live.take(KIND, tick({ all: true, upserts: [at('b', '2'), at('c', '3')], complete: true }));
  assert.equal(changed.sort(), [subject('a').id, subject('c').id]);
  assert.is(version('a'), undefined);
  assert.is(version('c'), '3');
});

test('the watch event of an own write is not a change, and older events are ignored', () => {
  const { live, changed, version } = view();
  live.take(KIND, tick({ upserts: [at('a', '9')] }));
  live.saw(KIND, at('a', '11'));
  changed.length = 0;
  live.take(KIND, tick({ upserts: [at('a', '10')] }));
  live.take(KIND, tick({ upserts: [at('a', '11')] }));
  assert.equal(changed, []);
  assert.is(version('a'), '11');
  live.take(KIND, tick({ upserts: [at('a', '3', 'u2')] }));
  assert.is(version('a'), '3', 'another incarnation is news whatever its version');
  live.take(KIND, tick({ removed: [{ namespace: 'shop', name: 'a' }] }));
  assert.is(version('a'), undefined);
  assert.is(changed.length, 2);
});

test('a kind that reappears is not synced until it is listed', () => {
  const { live } = view();
  for (const kind of KINDS.all) live.take(kind, tick({ all: true, complete: true }));
  assert.ok(live.knowsAll);
  live.lost(KIND);
  assert.not(live.knowsAll);
});

test('the response to an own write that arrives after a newer event is ignored', () => {
  const { live, version } = view();
  live.take(KIND, tick({ upserts: [at('a', '12')] }));
  live.saw(KIND, at('a', '11'));
  assert.is(version('a'), '12');
});

test('a response is not current if the object was removed while it was in flight', () => {
  const { live } = view();
  const { id } = subject('a');
  live.requested(id);
  assert.ok(live.answered(id));
  live.requested(id);
  live.take(KIND, tick({ removed: [{ namespace: at('a', '1').metadata.namespace ?? '', name: 'a' }] }));
  assert.not(live.answered(id));
  live.requested(id);
  assert.ok(live.answered(id), 'what went before is not counted again');
});

test.run();
