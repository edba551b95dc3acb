/**
 * Retries as Istio's validation requires: it rejects a VirtualService for an unknown condition, or for settings with
 * retries off.
 */
import type { RetriesView } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { retries } from '../../../src/translate/traffic/retries.ts';

function written(view: RetriesView): unknown {
  return retries.httpRoute?.(view)['retries'];
}

function reported(view: RetriesView): string[] {
  return (retries.reports?.(view, {}) ?? []).map(({ message }) => message);
}

test('attempts: 0 is written alone: Istio rejects any other setting with it', () => {
  const off = { attempts: 0, perTryTimeoutMs: 2000, retryOn: ['5xx'], retryRemoteLocalities: true };
  assert.equal(written(off), { attempts: 0 });
});

test('conditions that Istio does not support are left out and reported', () => {
  const view = { attempts: 2, retryOn: ['5xx', 'sometimes', '503', '799', 'unavailable'] };
  assert.equal(written(view), { attempts: 2, retryOn: '5xx,503,unavailable' });
  const [message, ...others] = reported(view);
  assert.match(message ?? '', 'does not know the retry condition sometimes, 799,');
  assert.equal(others, []);
});

test('without any supported condition retries are off, instead of Istio’s default', () => {
  assert.equal(written({ attempts: 2, perTryTimeoutMs: 2000, retryOn: ['sometimes'] }), { attempts: 0 });
});

test('without conditions the mesh default applies', () => {
  assert.equal(reported({ attempts: 2 }), []);
  assert.equal(written({ attempts: 2, perTryTimeoutMs: 2000 }), { attempts: 2, perTryTimeout: '2s' });
});

test.run();
