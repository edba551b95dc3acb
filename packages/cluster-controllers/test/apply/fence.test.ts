/** The fence permits no write under a Lease that another replica may hold. */
import { assert, test } from '@meshrelay/testing';
import { Fence, FencedError } from '../../src/apply/fence.ts';

function fenced(changes: { term?: number | undefined; validFor?: number } = {}) {
  const state = { term: 5 as number | undefined, validFor: 100, ...changes };
  const outdated: number[] = [];
  const fence = new Fence({
    term: 5,
    currentTerm: () => state.term,
    validFor: () => state.validFor,
    onOutdated: (seen) => outdated.push(seen),
  });
  const isOpen = (): boolean => {
    try {
      fence.check();
      return true;
    } catch (error) {
      assert.instance(error, FencedError);
      return false;
    }
  };
  return { state, fence, outdated, isOpen };
}

test('it is open only while the Lease is valid and the term is current', () => {
  const { state, isOpen } = fenced();
  assert.ok(isOpen());
  state.validFor = 0;
  assert.not(isOpen(), 'a pause outlasted the Lease');
  state.validFor = 100;
  state.term = 6;
  assert.not(isOpen(), 'led again in another term');
  state.term = undefined;
  assert.not(isOpen());
});

test('a newer term closes it permanently, whatever the Lease contains, and is reported once', () => {
  const { fence, outdated, isOpen } = fenced();
  for (const term of [1, 5]) fence.saw(term);
  assert.ok(isOpen());
  for (const term of [6, 6, 5]) fence.saw(term);
  assert.not(isOpen());
  assert.equal(outdated, [6]);
});

test.run();
