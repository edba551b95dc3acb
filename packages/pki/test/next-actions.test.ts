/** Every error of keys and certificates has a next action by its code. */
import { readFileSync } from 'node:fs';
import { assert, test } from '@meshrelay/testing';
import { NEXT_ACTIONS } from '../src/next-actions.ts';
import { PkiError } from '../src/pki-error.ts';
import type { PkiErrorCode } from '../src/pki-error-code.ts';
import { FAILURE_ACTIONS, refuse, type VerifyFailureReason } from '../src/verify/verify-failure.ts';

test('every error code in the sources has a distinct next action', () => {
  const text = readFileSync(new URL('../src/pki-error-code.ts', import.meta.url), 'utf8');
  const codes = new Set([...text.matchAll(/'(RELAY_E_\w+)'/g)].map(([, code = '']) => code));
  assert.ok(codes.size > 3);
  assert.equal(Object.keys(NEXT_ACTIONS).sort(), [...codes].sort());
  for (const [code, next] of Object.entries(NEXT_ACTIONS) as [PkiErrorCode, string][]) {
    assert.match(next, /^[A-Z].{20,}\.$/, code);
    assert.is(new PkiError(code, 'why').next, next);
  }
});

test('a rejected certificate is reported with a next action for its reason', () => {
  const actions = Object.entries(FAILURE_ACTIONS) as [VerifyFailureReason, string][];
  assert.is(new Set(actions.map(([, next]) => next)).size, actions.length);
  for (const [reason, next] of actions) {
    assert.match(next, /^[A-Z].{20,}\.$/, reason);
    assert.equal(refuse(reason, 'why'), { ok: false, reason, message: 'why', next });
  }
});

test.run();
