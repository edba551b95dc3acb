/** Every error of a Kubernetes call ends with the next action. */
import { readFileSync } from 'node:fs';
import { assert, test } from '@meshrelay/testing';
import type { KubeErrorCode } from '../src/error-code.ts';
import { KubeError } from '../src/errors.ts';
import { NEXT_ACTIONS } from '../src/next-actions.ts';
import { answerError, idleTimeoutError } from '../src/status-error.ts';

test('every error code in the sources has a distinct next action', () => {
  const text = readFileSync(new URL('../src/error-code.ts', import.meta.url), 'utf8');
  const codes = new Set([...text.matchAll(/'(RELAY_E_\w+)'/g)].map(([, code = '']) => code));
  assert.ok(codes.size > 5);
  assert.equal(Object.keys(NEXT_ACTIONS).sort(), [...codes].sort());
  const actions = Object.values(NEXT_ACTIONS);
  assert.is(new Set(actions).size, actions.length, 'no two codes need the same');
});

test('messages end with it once, even if an error is rewrapped with another code', () => {
  for (const [code, next] of Object.entries(NEXT_ACTIONS) as [KubeErrorCode, string][])
    assert.is(new KubeError(code, 'get pods').message, `get pods; ${next}`);
  const refused = answerError('apply pod', { status: 422, body: 'no' });
  assert.is(refused.message, `apply pod: no; ${NEXT_ACTIONS.RELAY_E_KUBE_INVALID}`);
  const again = new KubeError('RELAY_E_KUBE_CONFLICT', refused.what, refused);
  assert.is(again.message, `apply pod: no; ${NEXT_ACTIONS.RELAY_E_KUBE_CONFLICT}`);
  const silent = idleTimeoutError('list pods', new Error('ECONNREFUSED'));
  assert.is(silent.message, `list pods: no answer (ECONNREFUSED); ${NEXT_ACTIONS.RELAY_E_KUBE_UNAVAILABLE}`);
  assert.is(new KubeError('RELAY_E_KUBE_CONFIG', 'k', { next: 'add one' }).message, 'k; add one');
});

test.run();
