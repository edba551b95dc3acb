/** What is run once more is what was merely late; whatever else was violated has failed at once. */
import { NotConverged } from '@meshrelay/local-fleet';
import { assert, test } from '@meshrelay/testing';
import { SMALL_LOAD, WHOLE_LOAD } from '../../src/load/load.ts';
import { judgeLoad } from '../../src/run/judge-load.ts';
import { readOptions } from '../../src/run/options.ts';
import { twice } from '../../src/run/twice.ts';
import { isOnlyLate, late, TooLate, thrown, type Violation, wrong } from '../../src/run/violation.ts';

const LATE = late('new leader took 9.0 s, allowed are 4.0 s');
const IN_VAIN = thrown(new NotConverged('waited 120 s in vain for an edit to arrive'));
const DELETED = wrong('I3: agent-cluster-2-0 deleted virtualservices bookshop/reviews in cluster-2');

interface Result {
  readonly id: string;
  readonly violations: readonly Violation[];
}

/** Runs what is asked for; `fates` are what becomes of each row, by the try. */
function runner(fates: Readonly<Record<string, ReadonlyArray<readonly Violation[]>>>) {
  const tried: string[] = [];
  const run = async (ids: readonly string[]): Promise<Result[]> =>
    ids.map((id) => {
      tried.push(id);
      const before = tried.filter((each) => each === id).length - 1;
      return { id, violations: fates[id]?.[before] ?? [] };
    });
  return { tried, run };
}

test('what was late is run once more, and the second result counts', async () => {
  const { tried, run } = runner({ F1: [[LATE]], F7: [[IN_VAIN, LATE], [LATE]] });
  const told: string[] = [];
  const results = await twice(['F1', 'F2', 'F7'], run, (again) => told.push(...again.map(({ id }) => id)));
  assert.equal(tried, ['F1', 'F2', 'F7', 'F1', 'F7']);
  assert.equal(told, ['F1', 'F7']);
  assert.equal(results, [
    { id: 'F1', violations: [] },
    { id: 'F2', violations: [] },
    { id: 'F7', violations: [LATE] },
  ]);
});

test('a broken invariant, a leak and lost objects are final, also beside something that was late', async () => {
  const lost = wrong('I8: the last state of 3 objects is known to no server');
  for (const violations of [[DELETED], [LATE, DELETED], [lost, IN_VAIN]]) {
    const { tried, run } = runner({ F13: [violations] });
    const [result] = await twice(['F13'], run, () => assert.unreachable('it was run once more'));
    assert.equal(tried, ['F13']);
    assert.equal(result?.violations, violations);
  }
});

test('a row that comes several times is run again only where it was late', async () => {
  const { tried, run } = runner({ F1: [[], [LATE], []] });
  assert.equal(
    (await twice(['F1', 'F1', 'F1'], run, () => undefined)).map(({ violations }) => violations.length),
    [0, 0, 0],
  );
  assert.is(tried.length, 4);
});

test('only times are lateness: what a row waited for in vain, and what came too late', () => {
  assert.ok(isOnlyLate([LATE, IN_VAIN, thrown(new TooLate('the second waited 9000 ms, allowed are 7000 ms'))]));
  assert.not.ok(isOnlyLate([]));
  // The words decide nothing.
  assert.not.ok(isOnlyLate([thrown(new Error('waited 120 s in vain'))]));
  assert.not.ok(isOnlyLate([thrown(new Error('the second waited 20 ms only'))]));
  assert.is(thrown(new NotConverged('x'), 'not in order afterwards: ').what, 'not in order afterwards: x');
});

test('of the load, objects that are lost are final; a herd that is slow is not', () => {
  const good = {
    plan: SMALL_LOAD,
    firstSync: 1,
    deltas: SMALL_LOAD.perSecond * SMALL_LOAD.seconds,
    answers: { p50: 1, p99: 1, max: 1 },
    herd: 1,
    lost: 0,
    loopDelays: [{ p50: 1, p99: 1, max: 1 }],
    leasePause: 1,
    serverMemory: [1],
  };
  assert.equal(judgeLoad(good, 3), []);
  assert.ok(isOnlyLate(judgeLoad({ ...good, herd: 3_600_000, deltas: 1 }, 3)));
  assert.not.ok(isOnlyLate(judgeLoad({ ...good, lost: 1 }, 3)));
  assert.not.ok(isOnlyLate(judgeLoad({ ...good, herd: 3_600_000, lost: 1 }, 3)));
  assert.not.ok(isOnlyLate(judgeLoad({ ...good, serverMemory: [4 * 1024 ** 3] }, 3)));
});

test('a soak forgives nothing, nor does a run at full scale', () => {
  assert.ok(readOptions([]).forgiving);
  assert.not.ok(readOptions(['--full']).forgiving);
  const soak = readOptions(['--soak']);
  assert.not.ok(soak.forgiving);
  assert.is(soak.load?.agents, WHOLE_LOAD.agents);
});

test.run();
