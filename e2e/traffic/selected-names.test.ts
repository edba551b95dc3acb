/** Which scenarios MESHRELAY_SCENARIO selects. */
import { assert, test } from '@meshrelay/testing';
import { selectedNames } from './scenario/selected-names.ts';

const NAMES = ['access: a GET is allowed', 'shift: a third of requests', 'random: fleets'];

test('scenarios are selected by a text in their name, all by an empty text', () => {
  assert.equal([...selectedNames(NAMES, 'shift')], ['shift: a third of requests']);
  assert.equal([...selectedNames(NAMES, '')], NAMES);
});

test('a text that is in no name is an error that lists all names', () => {
  assert.throws(
    () => selectedNames(NAMES, 'shfit'),
    'MESHRELAY_SCENARIO: no scenario has "shfit" in its name; use a part of one of these:\n  access: a GET is allowed\n  random: fleets\n  shift: a third of requests',
  );
});

test.run();
