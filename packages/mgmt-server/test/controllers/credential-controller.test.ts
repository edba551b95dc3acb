/** Tokens, revocations and rotations are audited at any leader and log level: each once, with its requester. */
import { NEXT_ROOT_SECRET } from '@meshrelay/pki';
import { CHANGED_BY_ANNOTATION, REQUEST_ANNOTATION } from '@meshrelay/relay-core';
import { createLogger } from '@meshrelay/telemetry';
import { assert, eventually, test } from '@meshrelay/testing';
import { AuditLog } from '../../src/audit/audit.ts';
import { AUDITED_SECRET } from '../../src/controllers/credential-controller.ts';
import { ManagementCluster } from '../support/management.ts';

const ACTIONS = new Set(['token-create', 'token-revoke', 'revoke', 'readmit', 'rotate']);

function audited(management: ManagementCluster): string[] {
  return management
    .logged('audit')
    .filter(({ action }) => ACTIONS.has(String(action)))
    .map(({ action, cluster, by, requestId }) => {
      const request = String(requestId).startsWith('r-') ? ` ${requestId}` : '';
      return `${action} ${cluster || 'fleet'} by ${by}${request}`;
    });
}

const notes = (by: string, request: string) => ({ [CHANGED_BY_ANNOTATION]: by, [REQUEST_ANNOTATION]: request });

test('each change of credentials is audited once with its requester, also when the Lease changes hands', async () => {
  await using management = await ManagementCluster.start(['c1']);
  const state = (): string => management.secret(AUDITED_SECRET)['state'] ?? '';
  const note = (name: string, by: string, request: string): void =>
    management.setSecret(name, management.secret(name), notes(by, request));
  {
    await using _server = await management.startServer();
    await eventually('it looks', () => state() !== '');
    assert.equal(audited(management), []);
    management.giveToken('c1');
    await eventually('the token is audited', () => audited(management).length === 1, {
      seen: () => audited(management),
    });
    assert.match(audited(management)[0] ?? '', /^token-create c1 by (field manager|unknown)/);
    note('relay-tokens', 'alice', 'r-1');
    management.revokeTokens('c1');
    await eventually('its end, too', () => audited(management).length === 2, { seen: () => audited(management) });
    assert.is(audited(management)[1], 'token-revoke c1 by alice r-1');
    // The annotation belongs to the previous change: another client has changed the Secret since.
    management.giveToken('c1');
    await eventually('another', () => audited(management).length === 3, { seen: () => audited(management) });
    assert.not.match(audited(management)[2] ?? '', 'alice');
    await eventually('it is kept', () => state().includes('r-1') && state().includes('open'));
  }
  note('relay-certificates', 'bob', 'r-2');
  management.revoke('c1');
  management.setSecret(NEXT_ROOT_SECRET, { phase: 'distribute' }, notes('carol', 'r-3'));
  await using _next = await management.startServer({ replica: 'server-1' });
  await eventually('the next leader audits the changes made meanwhile', () => audited(management).length >= 5, {
    seen: () => audited(management),
  });
  assert.equal(audited(management).slice(3).sort(), ['revoke c1 by bob r-2', 'rotate fleet by carol r-3']);
  await eventually('it is kept', () => state().includes('distribute'));
});

test('audit lines do not depend on log.level', () => {
  const lines: string[] = [];
  const logger = createLogger({
    name: 'mgmt-server',
    level: 'silent',
    destination: { write: (line) => lines.push(line) },
  });
  new AuditLog(logger).record({ action: 'token-create', outcome: 'done', cluster: 'c1', tokenId: 'abc', by: 'alice' });
  assert.is(lines.length, 1);
  const { logger: name, level, tokenId, by } = JSON.parse(lines[0] ?? '') as Record<string, unknown>;
  assert.equal([name, level, tokenId, by], ['mgmt-server.audit', 'info', 'abc', 'alice']);
});

test.run();
