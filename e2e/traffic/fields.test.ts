/** Every field of a policy has a scenario in which requests are sent. */
import { assert, test } from '@meshrelay/testing';
import { fieldsWithoutScenario } from './scenario/fields.ts';

/** Fields that have none, each with the reason. It may only become shorter. */
const REASONS: Readonly<Record<string, string>> = {};

test('every field and every value of an enum is set in some scenario, or there is a reason why not', () => {
  assert.equal(fieldsWithoutScenario().sort(), Object.keys(REASONS).sort());
});

test.run();
