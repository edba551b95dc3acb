/** Transition times of conditions. */
import { assert, test } from '@meshrelay/testing';
import { TransitionTimes } from '../../src/controllers/transition-times.ts';

const condition = (status: 'True' | 'False') => ({ type: 'Applied', status, reason: 'R', message: 'm' });

test('a condition keeps its time while its status is unchanged', () => {
  let now = 1_000_000;
  const times = new TransitionTimes(() => new Date(now));
  const first = times.timed('p', [condition('True')], undefined);
  now += 60_000;
  assert.equal(
    times.timed('p', [{ ...condition('True'), message: 'other' }], undefined)[0]?.lastTransitionTime,
    first[0]?.lastTransitionTime,
  );
  assert.is(times.timed('p', [condition('False')], undefined)[0]?.lastTransitionTime, '1970-01-01T00:17:40Z');
});

test('the conditions at the API server count for a policy that was not timed before', () => {
  const times = new TransitionTimes(() => new Date(0));
  const live = [{ ...condition('True'), lastTransitionTime: '2020-01-01T00:00:00Z' }];
  assert.is(times.timed('p', [condition('True')], live)[0]?.lastTransitionTime, '2020-01-01T00:00:00Z');
  times.forget('p');
  assert.is(times.timed('p', [condition('True')], undefined)[0]?.lastTransitionTime, '1970-01-01T00:00:00Z');
});

test.run();
