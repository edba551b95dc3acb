/** Concurrent writes share a commit, and a bad one fails alone. */
import { createGraph, GraphError, key } from '@meshrelay/relay-core';
import { assert, test } from '@meshrelay/testing';
import { CommitLoop } from '../../src/store/commit-loop.ts';
import { EDIT, OBSERVED } from '../../src/store/input-cause.ts';

function loop() {
  const graph = createGraph();
  const source = graph.source<number>('numbers');
  const commits: number[] = [];
  const commitLoop = new CommitLoop(graph, () => 0);
  graph.subscribe((changes) => commits.push(changes.size));
  const set = (name: string, value: number) => ({
    cause: EDIT,
    into: (transaction: Parameters<Parameters<typeof graph.commit>[0]>[0]) => transaction.set(source, key(name), value),
  });
  return { commitLoop, source, commits, set };
}

test('writes of one turn share a commit', async () => {
  const { commitLoop, source, commits, set } = loop();
  const writes = [set('a', 1), set('b', 2), set('a', 3)].map((write) => commitLoop.write(write));
  assert.is(commitLoop.depth, 3);
  await Promise.all(writes);
  assert.is(commits.length, 1);
  assert.equal([source.get(key('a')), source.get(key('b')), commitLoop.depth], [3, 2, 0]);
});

test('writes are unfinished until their effects are visible, or they have failed', async () => {
  const { commitLoop, set } = loop();
  const seen: number[] = [];
  const poison = (): void => {
    throw new Error('poison');
  };
  const writes = [
    commitLoop.write({ ...set('a', 1), published: () => seen.push(commitLoop.unfinished) }),
    commitLoop.write({ cause: EDIT, into: poison }),
  ];
  assert.is(commitLoop.unfinished, 2);
  await Promise.allSettled(writes);
  assert.equal([seen.every((count) => count > 0), seen.length, commitLoop.unfinished], [true, 1, 0]);
});

test('a write that throws fails alone', async () => {
  const { commitLoop, source, set } = loop();
  const good = commitLoop.write(set('a', 1));
  const bad = commitLoop.write({
    cause: EDIT,
    into: () => {
      throw new Error('poison');
    },
  });
  const other = commitLoop.write(set('b', 2));
  const results = await Promise.allSettled([good, bad, other]);
  assert.equal(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.equal([source.get(key('a')), source.get(key('b'))], [1, 2]);
});

test('side effects of a write apply together with its objects, and not if it failed', async () => {
  const { commitLoop, source, set } = loop();
  const seen: unknown[] = [];
  await commitLoop.write({ ...set('a', 1), published: () => seen.push(source.get(key('a'))) });
  assert.equal(seen, [1]);
  const fails = commitLoop.write({
    cause: EDIT,
    into: () => {
      throw new Error('poison');
    },
    published: () => seen.push('never'),
  });
  await fails.then(
    () => assert.unreachable(),
    () => undefined,
  );
  assert.equal(seen, [1]);
});

test('a commit has one cause, and the order of writes stays', async () => {
  const { commitLoop, source, commits, set } = loop();
  const causes: string[] = [];
  const reported = (write: ReturnType<typeof set>) => ({
    ...write,
    published: () => causes.push(commitLoop.cause.type),
  });
  await Promise.all([
    commitLoop.write(reported(set('a', 1))),
    commitLoop.write(reported(set('b', 2))),
    commitLoop.write({ ...reported(set('a', 3)), cause: OBSERVED }),
    commitLoop.write(reported(set('a', 4))),
    commitLoop.write({ ...reported(set('c', 5)), cause: { type: 'comparison', cluster: 'c1' } }),
    commitLoop.write({ ...reported(set('d', 6)), cause: { type: 'comparison', cluster: 'c2' } }),
  ]);
  assert.is(commits.length, 5);
  assert.equal(causes, ['edit', 'edit', 'observed', 'edit', 'comparison', 'comparison']);
  assert.is(source.get(key('a')), 4);
});

test('it compacts in slices between commits, and a write takes precedence', async () => {
  const graph = createGraph();
  const source = graph.source<number>('numbers');
  let left = 3;
  let time = 0;
  const slices: number[] = [];
  const rest = (enough: () => boolean): boolean => {
    slices.push(source.get(key('a')) ?? 0);
    time += 10;
    assert.ok(enough(), 'a slice ends');
    left -= 1;
    return left === 0;
  };
  const commitLoop = new CommitLoop(graph, () => time, rest);
  const set = (value: number) =>
    commitLoop.write({ into: (transaction) => transaction.set(source, key('a'), value), cause: EDIT });
  await set(1);
  await set(2);
  while (left > 0) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(slices, [2, 2, 2], 'the second write was committed before there was time to rest');
});

test('a broken graph breaks the loop, which rejects waiting writes and accepts no more', async () => {
  const graph = createGraph();
  const fault = new GraphError('GRAPH_E_BROKEN', 'a commit broke off');
  let commits = 0;
  const commitYielding = () => {
    commits += 1;
    return Promise.reject(fault);
  };
  const commitLoop = new CommitLoop(Object.assign(graph, { commitYielding }), () => 0);
  const into = () => undefined;
  const writes = [EDIT, EDIT, OBSERVED].map((cause) => commitLoop.write({ cause, into }));
  const isFault = (result: PromiseSettledResult<unknown>) => result.status === 'rejected' && result.reason === fault;
  assert.equal((await Promise.allSettled(writes)).map(isFault), [true, true, true]);
  assert.is(commitLoop.broken.reason, fault);
  const [late, apart] = [commitLoop.write({ cause: EDIT, into }), commitLoop.apart(() => Promise.resolve())];
  assert.equal((await Promise.allSettled([late, apart])).map(isFault), [true, true]);
  assert.equal([commits, commitLoop.depth, commitLoop.unfinished], [1, 0, 0]);
});

test('failed work between commits breaks the loop', async () => {
  const fault = new Error('a bug');
  const commitLoop = new CommitLoop(
    createGraph(),
    () => 0,
    () => {
      throw fault;
    },
  );
  const broken = new Promise((resolve) => commitLoop.broken.addEventListener('abort', resolve));
  await commitLoop.write({ cause: EDIT, into: () => undefined });
  await broken;
  assert.is(commitLoop.broken.reason, fault);
});

test('a graph found broken outside of writes breaks the loop, a fault of work that commits by itself does not', async () => {
  const commitLoop = new CommitLoop(createGraph(), () => 0);
  const fault = new GraphError('GRAPH_E_BROKEN', 'a commit broke off');
  await Promise.allSettled([commitLoop.apart(() => Promise.reject(new Error('other')))]);
  assert.is(commitLoop.broken.aborted, false);
  await Promise.allSettled([commitLoop.apart(() => Promise.reject(fault))]);
  assert.is(commitLoop.broken.reason, fault);
});

test.run();
