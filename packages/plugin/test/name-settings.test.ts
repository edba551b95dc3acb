/** Settings that are names: defaults, given values and rejected values. */

import { assert, test } from '@meshrelay/testing';
import { DNS_LABEL, nameSettings } from '../src/mod.ts';

const schema = nameSettings({
  namespace: { initial: 'meshrelay', form: DNS_LABEL, what: 'the name of a namespace' },
  agent: { initial: 'meshrelay-agent', form: DNS_LABEL, what: 'the name of a Service' },
});
const evaluate = (value: unknown) => schema['~standard'].validate(value);

test('an omitted setting has its default', () => {
  assert.equal(evaluate({}), { value: { namespace: 'meshrelay', agent: 'meshrelay-agent' } });
  assert.equal(evaluate({ agent: 'relay' }), { value: { namespace: 'meshrelay', agent: 'relay' } });
});

test('every wrong setting is reported, by its name and the expected value', () => {
  assert.equal(evaluate({ namespace: 'No', agent: 1, agents: 'a' }), {
    issues: [
      { message: 'expected the name of a namespace', path: ['namespace'] },
      { message: 'expected the name of a Service', path: ['agent'] },
      { message: 'is not known; there are namespace, agent', path: ['agents'] },
    ],
  });
});

test('names of Object.prototype are not settings', () => {
  for (const name of ['constructor', 'toString', '__proto__'])
    assert.ok('issues' in evaluate(JSON.parse(`{"${name}":"a"}`)), name);
});

for (const value of [undefined, null, 'a', 1, []])
  test(`${JSON.stringify(value)} is not an object`, () =>
    assert.equal(evaluate(value), { issues: [{ message: 'expected an object', path: [] }] }));

test('a DNS label has at most 63 characters, and none of a path', () => {
  assert.ok(DNS_LABEL.test('a'.repeat(63)));
  for (const wrong of ['a'.repeat(64), '-a', 'a-', 'a.b', 'A', '', '../a']) assert.not.ok(DNS_LABEL.test(wrong), wrong);
});

test.run();
