/** Retries as Istio's own validation takes them: it refuses the whole VirtualService for a condition it does not know, or one where retries are off. */
import { assert, test } from '@meshrelay/testing';
import { retries, unknownConditions } from '../../../src/translate/route/retries.ts';

test('no attempts are written alone: Istio refuses any other setting beside them', () => {
  const off = { attempts: 0, perTryTimeoutMs: 2000, retryOn: ['5xx'], retryRemoteLocalities: true };
  assert.equal(retries(off), { attempts: 0 });
});

test('conditions that Istio does not know are left out', () => {
  const view = { attempts: 2, retryOn: ['5xx', 'sometimes', '503', '799', 'unavailable'] };
  assert.equal(unknownConditions(view), ['sometimes', '799']);
  assert.equal(retries(view), { attempts: 2, retryOn: '5xx,503,unavailable' });
});

test('where no condition is left nothing is retried, rather than what Istio retries by itself', () => {
  assert.equal(retries({ attempts: 2, perTryTimeoutMs: 2000, retryOn: ['sometimes'] }), { attempts: 0 });
});

test('without conditions the mesh decides', () => {
  assert.equal(unknownConditions({ attempts: 2 }), []);
  assert.equal(retries({ attempts: 2, perTryTimeoutMs: 2000 }), { attempts: 2, perTryTimeout: '2s' });
});

test.run();
