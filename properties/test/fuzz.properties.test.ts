/**
 * Objects of every kind that is read, corrupted in every way: no stage throws or hangs, no prototype changes, no other
 * object is affected.
 */
import { assert, test } from '@meshrelay/testing';
import { holdAtRandom, seedOfThisRun } from '@meshrelay/testing/random-runs';
import { attempts } from '../src/corruption/fuzz.ts';
import { Fuzz } from '../src/corruption/fuzz-property.ts';
import { WARD_FLEET } from '../src/corruption/ward-fleet.ts';
import { POISONED_OBJECTS } from '../src/runs.ts';

test('a corrupted object affects only itself', () => {
  const fuzz = new Fuzz(WARD_FLEET);
  holdAtRandom({
    what: 'poisoned objects',
    values: attempts(WARD_FLEET),
    runs: POISONED_OBJECTS,
    seed: seedOfThisRun(4),
    property: (attempt) => fuzz.try(attempt),
    report: console.log,
  });
  const kinds = [...fuzz.tried].sort();
  console.log(kinds.map(([kind, times]) => `${kind} ${times}`).join(', '));
  assert.ok(kinds.length >= 30, `${kinds.length} kinds`);
  assert.is(
    kinds.reduce((sum, [, times]) => sum + times, 0),
    POISONED_OBJECTS,
  );
});

test.run();
