/** gather: keys that several items share; the order of parts does not depend on the order of arrival. */

import { type Key, key } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { faults, freezingGraph, reported, shown, write } from '../support/freezing-graph.ts';

interface PartSource {
  readonly to: readonly string[];
  readonly part: string;
}

function gathering() {
  const graph = freezingGraph();
  const first = graph.source<PartSource>('first');
  const second = graph.source<PartSource>('second');
  const marks = graph.source<string>('marks');
  const { made, parts } = graph.gather(
    'made',
    [first, second],
    ({ to, part }): ReadonlyArray<readonly [Key, string]> => {
      if (part === 'bad') throw new Error('bad part');
      return to.map((name, nth) => [key(name), `${part}${nth}`]);
    },
    (given, read, at) => {
      if (given.includes('poison0')) throw new Error('poisoned');
      return given.includes('silent0') ? undefined : `${given.join('+')}${read.get(marks, at) ?? ''}`;
    },
  );
  return { graph, first, second, marks, made, parts };
}

test('parts are ordered by input, then by key, then as returned', () => {
  const { graph, first, second, made, parts } = gathering();
  write(graph, second, { a: { to: ['x'], part: 's' } });
  write(graph, first, { b: { to: ['x', 'y', 'x'], part: 'b' } });
  write(graph, first, { a: { to: ['x'], part: 'a' } });
  assert.equal(shown(made), { x: 'a0+b0+b2+s0', y: 'b1' });
  assert.equal(shown(parts), { x: ['a0', 'b0', 'b2', 's0'], y: ['b1'] });
  assert.is(parts.size, 2);
});

test('a key is deleted with its last part', () => {
  const { graph, first, made, parts } = gathering();
  write(graph, first, { a: { to: ['x'], part: 'a' } });
  assert.equal(reported(write(graph, first, { a: undefined }).of(made)), [['x', 'a0', undefined]]);
  assert.is(parts.size, 0);
  write(graph, first, { b: { to: ['z'], part: 'b' } });
  assert.equal(shown(made), { z: 'b0' });
});

test('a key can move from one item to another in one commit', () => {
  const { graph, first, second, made } = gathering();
  write(graph, first, { a: { to: ['x'], part: 'same' } });
  const changes = graph.commit((transaction) => {
    transaction.delete(first, key('a'));
    transaction.set(second, key('b'), { to: ['x'], part: 'same' });
  });
  assert.equal(changes.of(made), [], 'the same was made of it');
});

test('only changed keys run, and `make` can read other collections', () => {
  const { graph, first, marks, made } = gathering();
  write(graph, first, { a: { to: ['x', 'y'], part: 'a' }, b: { to: ['z'], part: 'b' } });
  const runs = (): number => graph.counters().get('made')?.recomputed ?? 0;
  const before = runs();
  write(graph, marks, { y: '!' });
  assert.is(runs() - before, 1);
  assert.equal(shown(made), { x: 'a0', y: 'a1!', z: 'b0' });
});

test('an error stays with its item, or with its key', () => {
  const { graph, first, second, made } = gathering();
  write(graph, first, { a: { to: ['x'], part: 'a' } });
  write(graph, first, { a: { to: ['y'], part: 'bad' } });
  write(graph, second, { b: { to: ['y'], part: 'b' } });
  assert.equal(shown(made), { x: 'a0', y: 'b0' });
  assert.equal(faults(graph), ['made: a: bad part']);
  write(graph, second, { b: { to: ['y'], part: 'poison' } });
  assert.equal(shown(made), { x: 'a0', y: 'b0' }, 'the last good value stays');
  assert.equal(faults(graph), ['made: a: bad part', 'made: y: poisoned']);
  write(graph, first, { a: undefined });
  write(graph, second, { b: { to: ['y'], part: 'silent' } });
  assert.equal(shown(made), {});
  assert.equal(faults(graph), []);
});

test('explain lists the contributors of a key, and the reads', () => {
  const { graph, first, second, made } = gathering();
  write(graph, first, { a: { to: ['x'], part: 'a' } });
  write(graph, second, { b: { to: ['x'], part: 'b' } });
  assert.equal(graph.explain(made, key('x')), {
    node: 'made',
    key: key('x'),
    reads: [
      { collection: 'first', key: key('a'), via: 'get' },
      { collection: 'second', key: key('b'), via: 'get' },
      { collection: 'marks', key: key('x'), via: 'get' },
    ],
    outputs: [[key('x'), 'a0+b0']],
  });
  assert.is(graph.explain(made, key('missing')), undefined);
});

test.run();
