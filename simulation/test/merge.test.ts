import { assert, test } from '@meshrelay/testing';
import { applyOver, mergePatch } from '../src/kube/merge.ts';

test('an apply removes fields that the manager applied before and omits now', () => {
  const live = { spec: { managed: 1, gone: 2, unmanaged: 3 } };
  assert.equal(applyOver(live, { spec: { managed: 1, gone: 2 } }, { spec: { managed: 4 } }), {
    spec: { managed: 4, unmanaged: 3 },
  });
});

test("an apply replaces lists, and retains other managers' fields below its own", () => {
  const live = { spec: { list: [1, 2], map: { unmanaged: true } } };
  assert.equal(applyOver(live, undefined, { spec: { list: [3], map: { managed: true } } }), {
    spec: { list: [3], map: { unmanaged: true, managed: true } },
  });
});

test('a merge patch removes by null', () => {
  assert.equal(mergePatch({ a: 1, b: { c: 2, d: 3 } }, { b: { c: null } }), { a: 1, b: { d: 3 } });
});

test.run();
