/** The laws do bite: each is broken by a fleet that was tampered with. */
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { histories } from '../src/histories.ts';
import * as laws from '../src/laws.ts';
import type { Placed } from '../src/world.ts';

const isPolicy = ({ object }: Placed): boolean => object.apiVersion.startsWith('networking.meshrelay.dev');
const history =
  fc.sample(histories, { numRuns: 50, seed: 11 }).find((one) => laws.live(one).fleet.plane.desired.size > 10) ?? [];
const honest = (): laws.Lived => laws.live(history);

test('there is a rich fleet to tamper with', () => {
  assert.ok(honest().state.some(isPolicy));
});

test('a policy that was forgotten', () => {
  const lived = honest();
  const state = lived.state.filter((one) => !isPolicy(one));
  assert.throws(() => laws.incrementalIsFromScratch({ ...lived, state }), /differences/);
  assert.throws(() => laws.orderDoesNotMatter({ ...lived, state }, () => 0), /differences/);
  assert.throws(() => laws.everyObjectHasItsReason({ ...lived, state }), /which is gone/);
  assert.throws(() => laws.nothingRemains({ ...lived, state }), /left without a policy/);
});

test('a policy that nobody was told of', () => {
  const lived = honest();
  const unknown = lived.state.filter(isPolicy).map(({ cluster, object }) => ({
    cluster,
    object: { ...object, metadata: { ...object.metadata, name: 'unheard-of', uid: 'unheard-of' } },
  }));
  const state = [...lived.state, ...unknown];
  assert.throws(() => laws.statusesAreTrue({ ...lived, state }), /has no status/);
  assert.throws(() => laws.tellingAgainChangesNothing({ ...lived, state }), /changed \d+ things/);
});

test("a user's object under the name of one of ours, and a mesh that takes nothing", () => {
  const lived = honest();
  const [[, desired] = []] = [...lived.fleet.plane.desired.entries()];
  if (desired === undefined) throw new Error('nothing is desired');
  const state = [...lived.state, { cluster: desired.cluster, object: { spec: {}, ...desired.object } }];
  assert.throws(() => laws.everyObjectHasItsReason({ ...lived, state }), /is a user's/);
  assert.throws(() => laws.everyObjectIsTaken(lived, () => ['no']), /refuses/);
});

test.run();
