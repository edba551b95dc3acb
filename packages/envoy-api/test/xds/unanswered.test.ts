/** Answers find their response, in any order, as long as it is stored. */
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import type { SentResponse } from '../../src/xds/delta-responses.ts';
import { Unanswered } from '../../src/xds/unanswered.ts';

const sentResponse = (nonce: number): SentResponse => ({ type: 'cluster', versions: new Map([['a', '1']]), nonce });

test('each response is found once by its nonce, for any order of answers and any other nonces', () => {
  const step = fc.record({ apart: fc.integer({ min: 1, max: 5 }), pick: fc.nat(200) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      const unanswered = new Unanswered(1000);
      const open: SentResponse[] = [];
      let nonce = 0;
      for (const { apart, pick } of steps) {
        nonce += apart;
        const made = sentResponse(nonce);
        unanswered.add(made);
        assert.is(unanswered.latest, nonce);
        open.push(made);
        if (pick % 3 === 0) continue;
        const [answered] = open.splice(pick % open.length, 1);
        assert.is(unanswered.take(String(answered?.nonce), 'cluster'), answered);
        assert.is(unanswered.take(String(answered?.nonce), 'cluster'), undefined);
      }
      for (const each of open) assert.is(unanswered.take(String(each.nonce), 'cluster'), each);
    }),
    { numRuns: scaledRuns(50) },
  );
});

test('the oldest responses are dropped beyond the limit; unknown nonces and those of another type are ignored', () => {
  const unanswered = new Unanswered(3);
  for (let nonce = 1; nonce <= 100; nonce++) unanswered.add(sentResponse(nonce));
  assert.is(unanswered.take('97', 'cluster'), undefined);
  assert.is(unanswered.take('98', 'listener'), undefined);
  assert.ok(unanswered.take('98', 'cluster'));
  for (const nonce of ['', 'x', '0', '-1', '1.5', '101', '1e9', 'NaN'])
    assert.is(unanswered.take(nonce, 'cluster'), undefined);
});

test.run();
