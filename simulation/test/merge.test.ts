import { assert, test } from '@meshrelay/testing';
import { applyOver, mergePatch } from '../src/kube/merge.ts';

test('an apply takes away what the manager applied before and leaves out now', () => {
  const live = { spec: { ours: 1, gone: 2, theirs: 3 } };
  assert.equal(applyOver(live, { spec: { ours: 1, gone: 2 } }, { spec: { ours: 4 } }), {
    spec: { ours: 4, theirs: 3 },
  });
});

test('an apply replaces lists, and keeps the fields of others below its own', () => {
  const live = { spec: { list: [1, 2], map: { theirs: true } } };
  assert.equal(applyOver(live, undefined, { spec: { list: [3], map: { ours: true } } }), {
    spec: { list: [3], map: { theirs: true, ours: true } },
  });
});

test('a merge patch removes by null', () => {
  assert.equal(mergePatch({ a: 1, b: { c: 2, d: 3 } }, { b: { c: null } }), { a: 1, b: { d: 3 } });
});

test.run();
