/** Indexes: entries by bucket in key order; exactly the readers of a changed value run again. */

import { key } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { faults, freezingGraph, shown, write } from '../support/freezing-graph.ts';

interface Pod {
  readonly node: string;
  readonly ip: number;
}

function make() {
  const graph = freezingGraph();
  const pods = graph.source<Pod>('pods');
  const nodes = graph.source<string>('nodes');
  const byNode = graph.index(pods, 'pods by node', (pod) => {
    if (pod.node === 'bad') throw new Error('no such node');
    return pod.node === '' ? [] : [key(pod.node)];
  });
  const runs = { list: 0, count: 0 };
  const lists = graph.derive('lists', nodes, (node, read) => {
    runs.list += 1;
    return read.by(byNode, key(node)).map(([, pod]) => pod.ip);
  });
  const counts = graph.derive('counts', nodes, (node, read) => {
    runs.count += 1;
    return read.count(byNode, key(node));
  });
  write(graph, nodes, { n1: 'n1', n2: 'n2' });
  const ran = () => {
    const done = { ...runs };
    runs.list = 0;
    runs.count = 0;
    return done;
  };
  ran();
  return { graph, pods, byNode, lists, counts, ran };
}

test('readers of a bucket run when its entries change, readers of its count when the number does', () => {
  const { graph, pods, lists, counts, ran } = make();
  write(graph, pods, { b: { node: 'n1', ip: 2 }, a: { node: 'n1', ip: 1 }, c: { node: '', ip: 3 } });
  assert.equal(ran(), { list: 1, count: 1 });
  assert.equal(shown(lists), { n1: [1, 2], n2: [] });
  write(graph, pods, { a: { node: 'n1', ip: 9 } });
  assert.equal(ran(), { list: 1, count: 0 });
  write(graph, pods, { c: { node: '', ip: 4 } });
  assert.equal(ran(), { list: 0, count: 0 });
  write(graph, pods, { a: { node: 'n2', ip: 9 }, c: { node: 'n1', ip: 4 } });
  assert.equal(ran(), { list: 2, count: 1 }, 'one left and one came: the count of n1 is the same');
  assert.equal(shown(lists), { n1: [2, 4], n2: [9] });
  assert.equal(shown(counts), { n1: 2, n2: 1 });
});

test('outside readers can read it, and its lists never change', () => {
  const { graph, pods, byNode } = make();
  write(graph, pods, { a: { node: 'n1', ip: 1 } });
  const before = byNode.entriesOf(key('n1'));
  write(graph, pods, { a: { node: 'n1', ip: 2 }, b: { node: 'n1', ip: 3 } });
  assert.equal(before, [[key('a'), { node: 'n1', ip: 1 }]]);
  assert.is(byNode.countOf(key('n1')), 2);
  assert.equal(byNode.entriesOf(key('nowhere')), []);
  assert.throws(() => (before as unknown[]).push(1));
});

test('whether a bucket has entries changes with the first entry and the last', () => {
  const graph = freezingGraph();
  const pods = graph.source<{ readonly node: string }>('pods');
  const nodes = graph.source<string>('nodes');
  const byNode = graph.index(pods, 'pods by node', ({ node }) => [key(node)]);
  const used = graph.derive('used', nodes, (node, read) => read.any(byNode, key(node)));
  const runs = (): number => graph.counters().get('used')?.recomputed ?? 0;
  write(graph, nodes, { n1: 'n1' });
  assert.equal(shown(used), { n1: false });
  write(graph, pods, { a: { node: 'n1' } });
  assert.equal(shown(used), { n1: true });
  const before = runs();
  write(graph, pods, { b: { node: 'n1' } });
  write(graph, pods, { a: undefined });
  assert.is(runs() - before, 0, 'it still has one');
  write(graph, pods, { b: undefined });
  assert.equal(shown(used), { n1: false });
});

test('an item whose `extract` throws stays in its buckets, with its new value', () => {
  const { graph, pods, lists } = make();
  write(graph, pods, { a: { node: 'n1', ip: 1 } });
  write(graph, pods, { a: { node: 'bad', ip: 2 }, b: { node: 'bad', ip: 3 } });
  assert.equal(shown(lists), { n1: [2], n2: [] });
  assert.equal(faults(graph), ['pods by node: a: no such node', 'pods by node: b: no such node']);
  write(graph, pods, { a: { node: 'n2', ip: 2 }, b: undefined });
  assert.equal(shown(lists), { n1: [], n2: [2] });
  assert.equal(faults(graph), []);
});

test('the buckets of an item in many buckets are computed once for all of them, and again after it has moved', () => {
  const graph = freezingGraph();
  const items = graph.source<{ readonly first: number }>('items');
  let requested = 0;
  const byNumber = graph.index(items, 'items by number', ({ first }) => {
    requested += 1;
    return Array.from({ length: 1000 }, (_, at) => key(String(first + at)));
  });
  const found = () =>
    Array.from({ length: 1500 }, (_, at) => byNumber.entriesOf(key(String(at))).length).reduce((sum, one) => sum + one);
  write(graph, items, { a: { first: 0 } });
  assert.is(found(), 1000);
  write(graph, items, { a: { first: 400 } });
  assert.is(found(), 1000);
  assert.is(byNumber.entriesOf(key('399')).length, 0);
  assert.is(byNumber.entriesOf(key('1399')).length, 1);
  write(graph, items, { a: undefined });
  assert.is(found(), 0);
  assert.ok(requested < 20, `asked ${requested} times`);
});

test.run();
