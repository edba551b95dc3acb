/** A per-try timeout that never expires is reported; one that does, or a request without a timeout, is not. */
import type { TrafficPolicy } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import { retriesNotes } from '../../src/status/retries-notes.ts';

function codes(requestTimeout: string | undefined, perTryTimeout: string | undefined): string[] {
  const retries = { attempts: 2, ...(perTryTimeout === undefined ? {} : { perTryTimeout }) };
  const policy = { retries, ...(requestTimeout === undefined ? {} : { requestTimeout }) };
  return retriesNotes({ spec: { policy } } as TrafficPolicy).map(({ code }) => code);
}

test('a try timeout as long as the request timeout, or longer, is reported', () => {
  assert.equal(codes('2s', '3s'), ['PER_TRY_TIMEOUT_INEFFECTIVE']);
  assert.equal(codes('2s', '2000ms'), ['PER_TRY_TIMEOUT_INEFFECTIVE']);
});

test('a shorter one, and one without the other, are not', () => {
  assert.equal(codes('2s', '1.9s'), []);
  assert.equal(codes('2s', undefined), []);
  assert.equal(codes(undefined, '2s'), []);
});

test.run();
