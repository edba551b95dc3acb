/** Released and held deletions of one cluster, without a fleet. */
import { key } from '@meshrelay/relay-core';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { ClusterDeletions, type DeletionCandidate, deletionLimit } from '../../src/output/cluster-deletions.ts';

const KIND = { group: 'networking.istio.io', version: 'v1', kind: 'VirtualService', namespace: 'shop' };
const candidate = (number: number): DeletionCandidate => ({
  key: key(String(number)),
  object: { ...KIND, name: String(number) },
  sourcePolicies: [],
});
const candidates = (from: number, to: number): DeletionCandidate[] =>
  Array.from({ length: to - from }, (_, index) => candidate(from + index));

/** A cluster with this number of desired outputs. */
function cluster(total: number): ClusterDeletions {
  const deletions = new ClusterDeletions();
  for (const { key: id } of candidates(0, total)) deletions.desired(id, true);
  return deletions;
}

function verify(deletions: ClusterDeletions, lost: readonly DeletionCandidate[]): number {
  deletions.unwanted(lost.length);
  return deletions.verify(lost).length;
}

test('few deletions may proceed: ten, or a fifth', () => {
  assert.equal([0, 10, 50, 51, 1000].map(deletionLimit), [10, 10, 10, 10, 200]);
  assert.is(verify(cluster(10), candidates(0, 10)), 10);
  assert.is(verify(cluster(100), candidates(0, 20)), 20);
});

test('many deletions are all held, and the digest identifies exactly these', () => {
  const deletions = cluster(100);
  assert.is(verify(deletions, candidates(0, 21)), 0);
  assert.is(deletions.held?.outputs.length, 21);
  const other = cluster(100);
  verify(other, candidates(0, 22));
  assert.is.not(deletions.held?.digest, other.held?.digest);
  const same = cluster(200);
  verify(same, candidates(0, 21).reverse());
  assert.is(same.held, undefined, 'a fifth of 200 is more');
  verify(same, candidates(21, 100));
  assert.is(same.held?.outputs.length, 79);
});

test('while some are held, a few others may proceed', () => {
  const deletions = cluster(100);
  verify(deletions, candidates(0, 50));
  assert.is(verify(deletions, candidates(50, 55)), 5);
  assert.is(deletions.held?.outputs.length, 50);
});

test('an object that is desired again is not held, and its approval is void', () => {
  const deletions = cluster(30);
  verify(deletions, candidates(0, 20));
  deletions.desired(key('3'), true);
  assert.is(deletions.held?.outputs.length, 19);
  assert.is(deletions.approve(candidates(0, 20).map(({ key: id }) => id)).length, 19);
  assert.is(deletions.held, undefined);
  deletions.desired(key('4'), true);
  assert.is(verify(deletions, candidates(4, 5)), 1, 'one alone is few');
});

test('an approval before the loss releases it later, and nothing else', () => {
  const deletions = cluster(100);
  assert.is(deletions.approve(candidates(0, 50).map(({ key: id }) => id)).length, 0);
  assert.is(verify(deletions, candidates(0, 80)), 50);
  assert.is(deletions.held?.outputs.length, 30);
});

test('losses of a comparison are evaluated together at its end', () => {
  const deletions = cluster(100);
  for (let at = 0; at < 40; at += 5) {
    deletions.unwanted(5);
    assert.is(deletions.defer('c1', candidates(at, at + 5)).length, 0);
  }
  assert.is(deletions.held, undefined);
  assert.is([...deletions.retained()].length, 40, 'it stays meanwhile');
  assert.is(deletions.compared('c1').length, 0);
  assert.is(deletions.held?.outputs.length, 40);
});

test('objects from before this process are evaluated, too', () => {
  const deletions = cluster(10);
  for (const { key: id, object } of candidates(0, 40)) deletions.came(id, object);
  const orphans = deletions.orphans((id) => Number(JSON.parse(id)[0]) < 10);
  assert.is(orphans.length, 30);
  assert.is(deletions.verify(orphans).length, 0);
  assert.is(deletions.held?.outputs.length, 30);
  assert.is(deletions.orphans((id) => Number(JSON.parse(id)[0]) < 10).length, 0, 'they are known now');
  assert.is(deletions.went(key('15')).length, 1, 'a user deleted it: nothing to hold');
  assert.is(deletions.held?.outputs.length, 29);
});

test('an object that is being deleted is not an orphan', () => {
  const deletions = cluster(40);
  for (const { key: id, object } of candidates(0, 40)) deletions.came(id, object);
  deletions.unwanted(40);
  deletions.prove(candidates(0, 40));
  assert.is(deletions.orphans(() => false).length, 0);
});

test('even a few outputs of an unreadable policy stay, until it is readable', () => {
  const deletions = cluster(100);
  deletions.unwanted(5);
  const isIndeterminate = ({ object }: DeletionCandidate): boolean => object.name === '3';
  assert.equal(
    deletions.verify(candidates(0, 5), isIndeterminate).map(({ object }) => object.name),
    ['0', '1', '2', '4'],
  );
  assert.equal(
    deletions.held?.outputs.map(({ object }) => object.name),
    ['3'],
  );
  assert.is(deletions.reevaluate(isIndeterminate).length, 0);
  assert.is(deletions.reevaluate(() => false).length, 1);
  assert.is(deletions.held, undefined);
});

test('in any order, only proven, approved or few deletions proceed', () => {
  const step = fc.record({
    type: fc.constantFrom('observed', 'edit', 'comparison', 'compared', 'want', 'approve'),
    from: fc.nat(60),
    length: fc.integer({ min: 1, max: 60 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const deletions = new ClusterDeletions();
      const desired = new Set<number>();
      const approved = new Set<string>();
      for (const { type, from, length } of steps) {
        const all = Array.from({ length }, (_, index) => (from + index) % 80);
        const lost = all.filter((number) => desired.has(number)).map(candidate);
        if (['observed', 'edit', 'comparison'].includes(type)) {
          for (const { object } of lost) desired.delete(Number(object.name));
          deletions.unwanted(lost.length);
        }
        const total = desired.size + lost.length + (deletions.held?.outputs.length ?? 0);
        let gone: readonly DeletionCandidate[] = [];
        if (type === 'observed') gone = deletions.prove(lost);
        else if (type === 'edit') gone = deletions.verify(lost);
        else if (type === 'comparison') gone = deletions.defer('c1', lost);
        else if (type === 'compared') gone = deletions.compared('c1');
        else if (type === 'approve' && deletions.held !== undefined) {
          const keys = deletions.held.outputs.map(({ key: id }) => id);
          for (const id of keys) approved.add(id);
          gone = deletions.approve(keys);
        } else if (type === 'want')
          for (const number of all) {
            deletions.desired(key(String(number)), !desired.has(number));
            desired.add(number);
            approved.delete(key(String(number)));
          }
        const unproven = gone.filter(({ key: id }) => type !== 'observed' && !approved.has(id));
        assert.ok(
          unproven.length <= deletionLimit(Math.max(total, desired.size + unproven.length)),
          `${type} let go ${unproven.length}`,
        );
        for (const { object } of gone) assert.not(desired.has(Number(object.name)), 'nothing desired goes');
      }
    }),
    { numRuns: scaledRuns(300) },
  );
});

test.run();
