/** Rules between the durations of an election. */
import { assert, test } from '@meshrelay/testing';
import { electionTiming } from '../src/timing.ts';

test('the defaults are 15, 10 and 2 seconds, with a request timeout of 5', () => {
  assert.equal(electionTiming(), {
    leaseDuration: 15000,
    renewDeadline: 10000,
    retryPeriod: 2000,
    requestTimeout: 5000,
  });
});

for (const [rule, timing] of [
  ['leaseDuration must be whole seconds', { leaseDuration: 15_500 }],
  ['leaseDuration must be more than renewDeadline', { leaseDuration: 10_000, requestTimeout: 1 }],
  ['renewDeadline must be more than 1.2 retryPeriod', { retryPeriod: 9_000 }],
  ['retryPeriod must be more than 0', { retryPeriod: 0 }],
  ['requestTimeout must be at most leaseDuration - renewDeadline', { requestTimeout: 5_001 }],
] as const) {
  test(rule, () => {
    assert.throws(
      () => electionTiming(timing),
      (error: Error) => error.message.includes(rule),
    );
  });
}

test.run();
