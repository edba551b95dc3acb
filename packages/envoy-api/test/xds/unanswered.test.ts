/** Answers find what they answer, in any order, as long as it is remembered. */
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { Unanswered } from '../../src/xds/unanswered.ts';

const told = (name: string) => ({ type: 'cluster' as const, versions: [name, '1'] });

test('each response is found once by its nonce, whatever order answers come in', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(200), { maxLength: 400 }), (picks) => {
      const unanswered = new Unanswered(1000);
      const open: string[] = [];
      for (const [at, pick] of picks.entries()) {
        const nonce = unanswered.add(told(String(at)));
        assert.is(nonce, String(at + 1));
        open.push(nonce);
        if (pick % 3 === 0) continue;
        const [answered = ''] = open.splice(pick % open.length, 1);
        assert.is(unanswered.take(answered, 'cluster')?.versions[0], String(Number(answered) - 1));
        assert.is(unanswered.take(answered, 'cluster'), undefined);
      }
      for (const nonce of open) assert.ok(unanswered.take(nonce, 'cluster'));
    }),
    { numRuns: 50 },
  );
});

test('of more than are remembered the oldest go; nonces of nothing, and of another type, are none', () => {
  const unanswered = new Unanswered(3);
  for (let at = 0; at < 100; at++) unanswered.add(told(String(at)));
  assert.is(unanswered.take('97', 'cluster'), undefined);
  assert.is(unanswered.take('98', 'listener'), undefined);
  assert.ok(unanswered.take('98', 'cluster'));
  for (const nonce of ['', 'x', '0', '-1', '1.5', '101', '1e9'])
    assert.is(unanswered.take(nonce, 'cluster'), undefined);
});

test.run();
