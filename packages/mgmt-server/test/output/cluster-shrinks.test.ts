/** What of a cluster may go and what is held, without any fleet. */
import { key } from '@meshrelay/relay-core';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { ClusterShrinks, type LostOutput, shrinkLimit } from '../../src/output/cluster-shrinks.ts';

const KIND = { group: 'networking.istio.io', version: 'v1', kind: 'VirtualService', namespace: 'shop' };
const loss = (number: number): LostOutput => ({
  key: key(String(number)),
  object: { ...KIND, name: String(number) },
  sourcePolicies: [],
});
const losses = (from: number, to: number): LostOutput[] =>
  Array.from({ length: to - from }, (_, index) => loss(from + index));

/** A cluster with this many outputs desired. */
function cluster(total: number): ClusterShrinks {
  const shrinks = new ClusterShrinks();
  for (const { key: id } of losses(0, total)) shrinks.wanted(id, true);
  return shrinks;
}

function judge(shrinks: ClusterShrinks, lost: readonly LostOutput[]): number {
  shrinks.unwanted(lost.length);
  return shrinks.judge(lost).length;
}

test('few may go: ten, or a fifth', () => {
  assert.equal([0, 10, 50, 51, 1000].map(shrinkLimit), [10, 10, 10, 10, 200]);
  assert.is(judge(cluster(10), losses(0, 10)), 10);
  assert.is(judge(cluster(100), losses(0, 20)), 20);
});

test('many are held, every one of them, and the digest stands for exactly these', () => {
  const shrinks = cluster(100);
  assert.is(judge(shrinks, losses(0, 21)), 0);
  assert.is(shrinks.held?.outputs.length, 21);
  const other = cluster(100);
  judge(other, losses(0, 22));
  assert.is.not(shrinks.held?.digest, other.held?.digest);
  const same = cluster(200);
  judge(same, losses(0, 21).reverse());
  assert.is(same.held, undefined, 'a fifth of 200 is more');
  judge(same, losses(21, 100));
  assert.is(same.held?.outputs.length, 79);
});

test('while some are held, a few others may go', () => {
  const shrinks = cluster(100);
  judge(shrinks, losses(0, 50));
  assert.is(judge(shrinks, losses(50, 55)), 5);
  assert.is(shrinks.held?.outputs.length, 50);
});

test('what is desired again is held no more, and an approval of it is void', () => {
  const shrinks = cluster(30);
  judge(shrinks, losses(0, 20));
  shrinks.wanted(key('3'), true);
  assert.is(shrinks.held?.outputs.length, 19);
  assert.is(shrinks.approve(losses(0, 20).map(({ key: id }) => id)).length, 19);
  assert.is(shrinks.held, undefined);
  shrinks.wanted(key('4'), true);
  assert.is(judge(shrinks, losses(4, 5)), 1, 'one alone is few');
});

test('an approval before the loss lets it go when it comes, and nothing else', () => {
  const shrinks = cluster(100);
  assert.is(shrinks.approve(losses(0, 50).map(({ key: id }) => id)).length, 0);
  assert.is(judge(shrinks, losses(0, 80)), 50);
  assert.is(shrinks.held?.outputs.length, 30);
});

test('what a comparison lacks is judged at its end, as one loss', () => {
  const shrinks = cluster(100);
  for (let at = 0; at < 40; at += 5) {
    shrinks.unwanted(5);
    assert.is(shrinks.defer('c1', losses(at, at + 5)).length, 0);
  }
  assert.is(shrinks.held, undefined);
  assert.is([...shrinks.kept()].length, 40, 'it stays meanwhile');
  assert.is(shrinks.compared('c1').length, 0);
  assert.is(shrinks.held?.outputs.length, 40);
});

test('what was before this process is judged, too', () => {
  const shrinks = cluster(10);
  for (const { key: id, object } of losses(0, 40)) shrinks.came(id, object);
  const orphans = shrinks.orphans((id) => Number(JSON.parse(id)[0]) < 10);
  assert.is(orphans.length, 30);
  assert.is(shrinks.judge(orphans).length, 0);
  assert.is(shrinks.held?.outputs.length, 30);
  assert.is(shrinks.orphans((id) => Number(JSON.parse(id)[0]) < 10).length, 0, 'they are known now');
  assert.is(shrinks.went(key('15')).length, 1, 'somebody deleted it by hand: there is nothing to hold');
  assert.is(shrinks.held?.outputs.length, 29);
});

test('what is on its way out is no orphan', () => {
  const shrinks = cluster(40);
  for (const { key: id, object } of losses(0, 40)) shrinks.came(id, object);
  shrinks.unwanted(40);
  shrinks.prove(losses(0, 40));
  assert.is(shrinks.orphans(() => false).length, 0);
});

test('of a policy that cannot be read even a few stay, until it can be', () => {
  const shrinks = cluster(100);
  shrinks.unwanted(5);
  const isUnclear = ({ object }: LostOutput): boolean => object.name === '3';
  assert.equal(
    shrinks.judge(losses(0, 5), isUnclear).map(({ object }) => object.name),
    ['0', '1', '2', '4'],
  );
  assert.equal(
    shrinks.held?.outputs.map(({ object }) => object.name),
    ['3'],
  );
  assert.is(shrinks.judgeAgain(isUnclear).length, 0);
  assert.is(shrinks.judgeAgain(() => false).length, 1);
  assert.is(shrinks.held, undefined);
});

test('nothing goes without proof, approval or being few, whatever the order', () => {
  const step = fc.record({
    type: fc.constantFrom('observed', 'edit', 'comparison', 'compared', 'want', 'approve'),
    from: fc.nat(60),
    length: fc.integer({ min: 1, max: 60 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const shrinks = new ClusterShrinks();
      const desired = new Set<number>();
      const approved = new Set<string>();
      for (const { type, from, length } of steps) {
        const all = Array.from({ length }, (_, index) => (from + index) % 80);
        const lost = all.filter((number) => desired.has(number)).map(loss);
        if (['observed', 'edit', 'comparison'].includes(type)) {
          for (const { object } of lost) desired.delete(Number(object.name));
          shrinks.unwanted(lost.length);
        }
        const total = desired.size + lost.length + (shrinks.held?.outputs.length ?? 0);
        let gone: readonly LostOutput[] = [];
        if (type === 'observed') gone = shrinks.prove(lost);
        else if (type === 'edit') gone = shrinks.judge(lost);
        else if (type === 'comparison') gone = shrinks.defer('c1', lost);
        else if (type === 'compared') gone = shrinks.compared('c1');
        else if (type === 'approve' && shrinks.held !== undefined) {
          const keys = shrinks.held.outputs.map(({ key: id }) => id);
          for (const id of keys) approved.add(id);
          gone = shrinks.approve(keys);
        } else if (type === 'want')
          for (const number of all) {
            shrinks.wanted(key(String(number)), !desired.has(number));
            desired.add(number);
            approved.delete(key(String(number)));
          }
        const unproven = gone.filter(({ key: id }) => type !== 'observed' && !approved.has(id));
        assert.ok(
          unproven.length <= shrinkLimit(Math.max(total, desired.size + unproven.length)),
          `${type} let go ${unproven.length}`,
        );
        for (const { object } of gone) assert.not(desired.has(Number(object.name)), 'nothing desired goes');
      }
    }),
    { numRuns: scaledRuns(300) },
  );
});

test.run();
