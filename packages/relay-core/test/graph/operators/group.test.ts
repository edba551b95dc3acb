/** group: contributions in one order, updated by the differences, never in place. */

import { key } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { faults, freezingGraph, reported, shown, write } from '../support/freezing-graph.ts';

type Item = readonly (readonly [group: string, weight: number])[];

function make() {
  const graph = freezingGraph();
  const items = graph.source<Item>('items');
  const groups = graph.group(
    'groups',
    items,
    (item, at) => {
      if (item.length > 5) throw new Error('too many');
      return item.map(([group, weight]) => [key(group), `${weight} of ${at}`] as const);
    },
    (a, b) => {
      if (a.startsWith('13') || b.startsWith('13')) throw new Error('unlucky');
      return Number.parseInt(a, 10) - Number.parseInt(b, 10);
    },
  );
  return { graph, items, groups };
}

test('parts are ordered by comparison, then by item key, then as returned', () => {
  const { graph, items, groups } = make();
  write(graph, items, { c: [['g', 1]], b: [['g', 2]] });
  write(graph, items, {
    a: [
      ['g', 1],
      ['h', 1],
      ['g', 1],
    ],
  });
  const [a, b, c] = [key('a'), key('b'), key('c')];
  assert.equal(shown(groups), { g: [`1 of ${a}`, `1 of ${a}`, `1 of ${c}`, `2 of ${b}`], h: [`1 of ${a}`] });
  write(graph, items, { a: [['g', 3]], c: undefined });
  assert.equal(shown(groups), { g: [`2 of ${b}`, `3 of ${a}`] });
});

test('returned values never change, and only groups that differ are new', () => {
  const { graph, items, groups } = make();
  write(graph, items, { a: [['g', 1]], b: [['h', 1]] });
  const before = groups.get(key('g'));
  const changes = write(graph, items, { c: [['g', 5]] });
  assert.equal(before, [`1 of ${key('a')}`]);
  assert.equal(
    reported(changes.of(groups)).map(([name]) => name),
    ['g'],
  );
  assert.is(write(graph, items, { b: [['h', 1]] }).size, 0);
  write(graph, items, { c: [['i', 5]] });
  assert.equal(groups.get(key('g')), before);
});

test('an item that changes one of many contributions edits one group', () => {
  const { graph, items, groups } = make();
  const four: Item = [
    ['g', 1],
    ['h', 2],
    ['i', 3],
    ['j', 4],
  ];
  write(graph, items, { a: four });
  const changes = write(graph, items, { a: four.slice(1) });
  assert.equal(
    reported(changes.of(groups)).map(([name]) => name),
    ['g'],
  );
  assert.equal(graph.counters().get('groups'), { recomputed: 2, changed: 5, cutOff: 0 });
});

test('an item whose `into` throws keeps its last valid contributions', () => {
  const { graph, items, groups } = make();
  write(graph, items, { a: [['g', 1]] });
  write(graph, items, { a: Array.from({ length: 6 }, () => ['h', 1] as const) });
  assert.equal(shown(groups), { g: [`1 of ${key('a')}`] });
  assert.equal(faults(graph), ['groups: a: too many']);
  write(graph, items, { a: undefined });
  assert.equal(faults(graph), []);
  assert.is(groups.size, 0);
});

test('a group that cannot be sorted keeps its last valid state, and catches up afterwards', () => {
  const { graph, items, groups } = make();
  write(graph, items, { a: [['g', 1]], b: [['g', 2]], c: [['h', 1]] });
  const good = shown(groups);
  write(graph, items, { bad: [['g', 13]] });
  write(graph, items, { d: [['g', 0]], c: [['h', 2]] });
  assert.equal(shown(groups)['g'], good['g'], 'the group waits');
  assert.equal(shown(groups)['h'], [`2 of ${key('c')}`], 'others continue');
  assert.equal(faults(graph), ['groups: g: unlucky']);
  write(graph, items, { bad: undefined });
  assert.equal(shown(groups)['g'], [`0 of ${key('d')}`, ...(good['g'] ?? [])]);
  assert.equal(faults(graph), []);
});

test.run();
