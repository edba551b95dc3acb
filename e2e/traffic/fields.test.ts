/** Every field of a policy has a scenario that sends requests. */
import { assert, test } from '@meshrelay/testing';
import { fieldsWithoutScenario } from './scenario/fields.ts';

/** Fields without a scenario, each with the reason. The list may only become shorter. */
const REASONS: Readonly<Record<string, string>> = {};

test('every field and every value of an enum is set in some scenario, or has a documented reason', () => {
  assert.equal(fieldsWithoutScenario().sort(), Object.keys(REASONS).sort());
});

test.run();
