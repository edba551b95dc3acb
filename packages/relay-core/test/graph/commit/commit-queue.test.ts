/** Yielding commits: what readers see meanwhile, the order of commits, and errors. */

import { key } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { CommitQueue } from '../../../src/graph/commit/commit-queue.ts';
import type { YieldOptions } from '../../../src/mod.ts';
import { faultCodes, freezingGraph, shown, write } from '../support/freezing-graph.ts';

/** A clock that advances one millisecond per read. */
function yieldOptions(pause: () => void | Promise<void> = () => undefined): YieldOptions {
  let clock = 0;
  return { sliceMs: 2, now: () => clock++, pause: async () => pause() };
}

function make() {
  const graph = freezingGraph();
  const numbers = graph.source<number>('numbers');
  const byParity = graph.index(numbers, 'by parity', (n) => [key(n % 2 === 0 ? 'even' : 'odd')]);
  const doubled = graph.derive('doubled', numbers, (n) => n * 2);
  const set =
    (values: Readonly<Record<string, number>>) => (transaction: Parameters<Parameters<typeof graph.commit>[0]>[0]) => {
      for (const [name, n] of Object.entries(values)) transaction.set(numbers, key(name), n);
    };
  return { graph, numbers, byParity, doubled, set };
}

const many = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`n${n}`, n]));

test('readers see the last finished commit until a yielding commit ends', async () => {
  const { graph, numbers, byParity, doubled, set } = make();
  write(graph, numbers, { n1: 100 });
  let pauses = 0;
  const changes = await graph.commitYielding(
    set(many),
    yieldOptions(() => {
      pauses += 1;
      assert.equal(shown(numbers), { n1: 100 });
      assert.equal(shown(doubled), { n1: 200 });
      assert.equal([...byParity.entriesOf(key('even'))], [[key('n1'), 100]]);
      assert.is(byParity.countOf(key('odd')), 0);
      assert.is(doubled.size, 1);
      assert.ok(doubled.has(key('n1')) && !doubled.has(key('n2')));
      assert.equal(graph.explain(doubled, key('n1'))?.outputs, [[key('n1'), 200]]);
    }),
  );
  assert.ok(pauses > 10);
  assert.is(changes.of(doubled).length, 20);
  assert.is(doubled.get(key('n1')), 2);
  assert.is(byParity.countOf(key('odd')), 10);
});

test('commits requested meanwhile run in order, each with its own changes', async () => {
  const { graph, numbers, doubled, set } = make();
  const order: number[] = [];
  graph.subscribe((changes) => order.push(changes.of(numbers).length));
  const first = graph.commitYielding(set(many), yieldOptions());
  const second = graph.commitYielding((transaction) => {
    order.push(-1);
    transaction.set(numbers, key('n0'), 7);
  }, yieldOptions());
  assert.equal(order, [], 'the second waits, its callback too');
  assert.is((await second).of(doubled).length, 1);
  assert.is((await first).of(doubled).length, 20);
  assert.equal(order, [20, -1, 1]);
});

test('a synchronous commit first finishes the queued yielding commits, in order', async () => {
  const { graph, numbers, doubled, set } = make();
  let pauses = 0;
  const paced = yieldOptions(() => {
    pauses += 1;
  });
  const first = graph.commitYielding(set(many), paced);
  const second = graph.commitYielding(set({ n0: 1 }), paced);
  write(graph, numbers, { n0: 2 });
  assert.is(doubled.get(key('n0')), 4);
  assert.is((await first).of(doubled).length, 20);
  assert.equal((await second).of(doubled), [{ key: key('n0'), before: 0, after: 2 }]);
  assert.is(pauses, 1);
});

test('a transaction that throws in a yielding commit rejects that commit alone', async () => {
  const { graph, doubled, set } = make();
  const first = graph.commitYielding(set(many), yieldOptions());
  const bad = graph.commitYielding(() => {
    throw new Error('changed my mind');
  }, yieldOptions());
  const last = graph.commitYielding(set({ n0: 5 }), yieldOptions());
  await first;
  await bad.then(
    () => assert.unreachable(),
    (error: Error) => assert.is(error.message, 'changed my mind'),
  );
  await last;
  assert.is(doubled.get(key('n0')), 10);
});

test('if the pause or the clock throws, the commit finishes and its promise rejects', async () => {
  const { graph, doubled, set } = make();
  const broken: YieldOptions[] = [
    yieldOptions(() => Promise.reject(new Error('no pause'))),
    {
      sliceMs: 2,
      now: () => {
        throw new Error('no clock');
      },
      pause: async () => undefined,
    },
  ];
  for (const [nth, paced] of broken.entries()) {
    const failing = graph.commitYielding(set({ ...many, n0: nth + 50 }), paced);
    await failing.then(
      () => assert.unreachable(),
      (error: Error) => assert.match(error.message, /^no (pause|clock)$/),
    );
    assert.is(doubled.get(key('n0')), 2 * (nth + 50));
  }
  await graph.commitYielding(set({ n0: 1 }), yieldOptions());
  assert.is(doubled.get(key('n0')), 2);
});

test('committing from inside a transaction or a transform is rejected', async () => {
  const { graph, numbers, set } = make();
  assert.throws(() => graph.commit(() => void graph.commit(() => undefined)), /commit from inside/);
  let inner: Promise<unknown> | undefined;
  graph.commit(() => {
    inner = graph.commitYielding(set({ a: 1 }), yieldOptions());
  });
  await inner?.then(
    () => assert.unreachable(),
    (error: { code?: string }) => assert.is(error.code, 'GRAPH_E_BUSY'),
  );
  assert.is(numbers.size, 0);
  assert.equal(faultCodes(graph), []);
});

test('after a commit that fails inside the graph, every further commit fails with that error', async () => {
  let publications = 0;
  const queue = new CommitQueue();
  const start = () => ({
    work: () => {
      throw new Error('a bug');
    },
    publish: () => {
      publications += 1;
      return { of: () => [], size: 0 };
    },
  });
  const broken = (error: { code?: string; cause?: unknown }) => {
    assert.is(error.code, 'GRAPH_E_BROKEN');
    assert.match(String(error.cause), /a bug/);
    return true;
  };
  const outcome = queue.commitYielding(start, yieldOptions());
  await outcome.then(() => assert.unreachable(), broken);
  assert.throws(() => queue.commit(start), broken as never);
  assert.is(publications, 0);
});

test.run();
