/** What people are told of a failure: why, and what to do next, once. */
import { assert, test } from '@meshrelay/testing';
import { errorDetails, errorMessage } from '../src/error-details.ts';

test('what to do next stands beside the reason, and in one text behind it', () => {
  const error = Object.assign(new Error('tls.key: it is encrypted'), { next: 'Give it in the clear.' });
  assert.equal(errorDetails(error), { reason: 'tls.key: it is encrypted', next: 'Give it in the clear.' });
  assert.is(errorMessage(error), 'tls.key: it is encrypted. Give it in the clear.');
});

test('a message that says it itself is told as it is, and so is what is no error', () => {
  assert.equal(errorDetails(new Error('list pods: forbidden; grant it')), { reason: 'list pods: forbidden; grant it' });
  assert.is(errorMessage(new Error('list pods: forbidden; grant it')), 'list pods: forbidden; grant it');
  assert.is(errorMessage('gone'), 'gone');
});

test.run();
