/** No allowed expression has a long run time. */
import { assert, test } from '@meshrelay/testing';
import { patternProblem, patternTest } from '../../src/filter/safe-pattern.ts';

for (const pattern of ['/api/.*', '^GET|POST$', '[a-z]+-\\d{3}', 'v[12](?:\\.\\d)?', '.*\\.svc\\..*'])
  test(`${pattern} is allowed`, () => assert.is(patternProblem(pattern), undefined));

for (const [pattern, problem] of [
  ['(a+)+', /repeats a group/],
  ['(a|a)*', /repeats a group/],
  ['(?=a)b', /look-around/],
  ['(a)\\1', /back reference/],
  ['a*a*a*', /more than 2/],
  ['a?a?a?a?a?a?a?aaaaaaa', /more than 6/],
  ['(', /not a regular expression/],
] as const)
  test(`${pattern} is rejected`, () => assert.match(patternProblem(pattern) ?? '', problem));

test('the most expensive allowed expression is fast on the longest value', () => {
  const test = patternTest('.*a.*b');
  assert.not(test('a'.repeat(512)));
  assert.not(test('b'.repeat(513)), 'longer values meet nothing');
});

test.run();
