/** Every error has a next action by its code; both logs contain it. */
import { readFileSync } from 'node:fs';
import { assert, test } from '@meshrelay/testing';
import type { RelayErrorCode } from '../src/error-code.ts';
import { isRelayErrorCode, RelayError } from '../src/errors.ts';
import { errorOf, statusOf } from '../src/grpc/status.ts';
import { NEXT_ACTIONS } from '../src/next-actions.ts';

test('every error code in the sources has a distinct next action', () => {
  const text = readFileSync(new URL('../src/error-code.ts', import.meta.url), 'utf8');
  const codes = new Set([...text.matchAll(/'(RELAY_E_\w+)'/g)].map(([, code = '']) => code));
  assert.ok(codes.size > 10);
  assert.equal(Object.keys(NEXT_ACTIONS).sort(), [...codes].sort());
  const actions = Object.values(NEXT_ACTIONS);
  assert.is(new Set(actions).size, actions.length, 'no two codes need the same');
  for (const [code, action] of Object.entries(NEXT_ACTIONS)) assert.match(action, /^[A-Z].{20,}\.$/, code);
});

test('the rejected caller gets the code and the next action with the status', () => {
  for (const code of Object.keys(NEXT_ACTIONS).filter(isRelayErrorCode) as RelayErrorCode[]) {
    const sent = errorOf(statusOf(new RelayError(code, 'why')));
    assert.is(sent?.next, NEXT_ACTIONS[code], code);
  }
});

test.run();
