/** Limits of the load. */
import { assert, test } from '@meshrelay/testing';
import { SMALL_LOAD } from '../../src/load/plan.ts';
import { evaluateLoad } from '../../src/run/evaluate-load.ts';

test('lost, late or too large data is reported, and nothing else', () => {
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
  assert.equal(evaluateLoad(good, 3), []);
  const reported = (what: Partial<typeof good>): string => evaluateLoad({ ...good, ...what }, 3).join();
  assert.is(reported({ lost: 1 }), 'I8: the last state of 1 objects is known to no server');
  assert.is(reported({ herd: 3_600_000 }), 'F48: the herd took 3600.0 s, allowed are 90.0 s');
  assert.match(reported({ deltas: 1 }), /^1 changes were made in time, promised are \d+$/);
  assert.match(reported({ serverMemory: [4 * 1024 ** 3] }), /^a server holds 4096 MiB/);
});

test.run();
