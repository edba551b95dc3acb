/** Failures as users see them: the reason and the next action, once. */
import { assert, test } from '@meshrelay/testing';
import { errorDetails, errorMessage } from '../src/error-details.ts';

test('the next action is a separate field, and follows the reason in the text form', () => {
  const error = Object.assign(new Error('tls.key: it is encrypted'), { next: 'Give it in the clear.' });
  assert.equal(errorDetails(error), { reason: 'tls.key: it is encrypted', next: 'Give it in the clear.' });
  assert.is(errorMessage(error), 'tls.key: it is encrypted. Give it in the clear.');
});

test('a message that contains the next action stays unchanged, as do values that are not errors', () => {
  assert.equal(errorDetails(new Error('list pods: forbidden; grant it')), { reason: 'list pods: forbidden; grant it' });
  assert.is(errorMessage(new Error('list pods: forbidden; grant it')), 'list pods: forbidden; grant it');
  assert.is(errorMessage('gone'), 'gone');
});

test.run();
