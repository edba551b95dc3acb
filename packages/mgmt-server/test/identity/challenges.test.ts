/** Challenges: for one certificate, for a minute, once, and only of this process. */
import { assert, test } from '@meshrelay/testing';
import { Challenges } from '../../src/identity/challenges.ts';

test('a challenge is open for its certificate, within a minute, until it is answered', () => {
  let time = Date.parse('2030-01-01T00:00:00Z');
  const challenges = new Challenges(() => new Date(time));
  const one = challenges.make('aa');
  assert.ok(challenges.isOpen(one, 'aa'));
  assert.not(challenges.isOpen(one, 'ab'));
  assert.not(new Challenges(() => new Date(time)).isOpen(one, 'aa'), 'another process');
  assert.not(challenges.isOpen(one.slice(0, -1), 'aa'));
  assert.not(challenges.isOpen(new Uint8Array(), 'aa'));
  for (let index = 0; index < one.length; index += 1) {
    const bent = one.slice();
    bent[index] = (bent[index] ?? 0) ^ 1;
    assert.not(challenges.isOpen(bent, 'aa'), `bit ${index}`);
  }
  challenges.close(one);
  assert.not(challenges.isOpen(one, 'aa'), 'answered');
  const two = challenges.make('aa');
  time += 59_999;
  assert.ok(challenges.isOpen(two, 'aa'));
  time += 1;
  assert.not(challenges.isOpen(two, 'aa'), 'too late');
  time -= 120_000;
  assert.not(challenges.isOpen(two, 'aa'), 'from the future');
});

test.run();
