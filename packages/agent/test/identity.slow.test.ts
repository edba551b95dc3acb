/** From a token to a client certificate, with all kinds of failures on the way. */

import { Buffer } from 'node:buffer';
import { createToken, readCertificates } from '@meshrelay/pki';
import { CLIENT_SECRET, ROOT_SECRET, TOKEN_SECRET } from '@meshrelay/relay-core';
import { RelayError } from '@meshrelay/relay-protocol';
import { TestCluster } from '@meshrelay/test-cluster';
import { assert, eventually, test } from '@meshrelay/testing';
import { readiness, register, startReplica } from './harness/agents.ts';
import { CLUSTER, TestAuthority, TestRelay } from './harness/relay.ts';

const authority = await TestAuthority.create();
const text = (encoded: string | undefined): string => Buffer.from(encoded ?? '', 'base64').toString('utf8');

test('an agent that starts before its cluster is registered waits, reports the missing part, and continues by itself', async () => {
  await using cluster = await TestCluster.start();
  await using relay = await TestRelay.start(authority);
  await using agent = await startReplica(cluster, relay);
  await eventually('it says what is missing', async () =>
    (await readiness(agent)).failing['identity']?.includes(ROOT_SECRET),
  );
  cluster.setSecret(ROOT_SECRET, { 'ca.crt': authority.rootsPem });
  await eventually('and what next', async () => (await readiness(agent)).failing['identity']?.includes(TOKEN_SECRET));
  const token = relay.token();
  cluster.setSecret(TOKEN_SECRET, { token: token.reveal() });
  await eventually('ready', async () => (await readiness(agent)).ready, { seen: () => agent.log.lines.slice(-5) });
  const secret = cluster.secret(CLIENT_SECRET);
  assert.equal(Object.keys(secret ?? {}).sort(), ['ca.crt', 'tls.crt', 'tls.key']);
  assert.is(cluster.secret(TOKEN_SECRET), undefined);
  assert.not(
    agent.log.lines.some((line) => line.includes(token.reveal())),
    'the token is in no log',
  );
  assert.not(agent.log.lines.some((line) => line.includes('PRIVATE KEY')));
});

test('an existing certificate is used without another registration', async () => {
  await using cluster = await TestCluster.start();
  await using relay = await TestRelay.start(authority);
  register(cluster, relay, authority);
  {
    await using first = await startReplica(cluster, relay);
    await eventually('ready', async () => (await readiness(first)).ready);
  }
  const before = cluster.secret(CLIENT_SECRET);
  await using second = await startReplica(cluster, relay, { replica: 'agent-1' });
  await eventually('ready', async () => (await readiness(second)).ready);
  assert.equal(relay.registrations, ['ok']);
  assert.ok(before);
  assert.is(cluster.secret(CLIENT_SECRET)?.['tls.crt'], before?.['tls.crt']);
});

test('a lost response does not waste the token: the same request is sent again', async () => {
  await using cluster = await TestCluster.start();
  await using relay = await TestRelay.start(authority);
  register(cluster, relay, authority);
  relay.loseNextAnswer = true;
  const first = await startReplica(cluster, relay);
  await eventually('the answer was lost', () => first.log.has('no client certificate yet'));
  const pending = text(cluster.secret(CLIENT_SECRET)?.['tls.key']);
  await first[Symbol.asyncDispose]();
  await using second = await startReplica(cluster, relay, { replica: 'agent-1' });
  await eventually('ready', async () => (await readiness(second)).ready, { seen: () => second.log.lines.slice(-5) });
  assert.ok(relay.registrations.every((result) => result === 'ok'));
  assert.ok(relay.registrations.length >= 2);
  assert.is(text(cluster.secret(CLIENT_SECRET)?.['tls.key']), pending, 'with the key that was made first');
});

test('a rejected token is reported and the agent keeps waiting; another token is used as soon as it appears', async () => {
  await using cluster = await TestCluster.start();
  await using relay = await TestRelay.start(authority);
  const forged = relay.token('another-cluster');
  cluster.setSecret(ROOT_SECRET, { 'ca.crt': authority.rootsPem });
  cluster.setSecret(TOKEN_SECRET, { token: forged.reveal() });
  await using agent = await startReplica(cluster, relay);
  await eventually('the reason is reported', async () =>
    (await readiness(agent)).failing['identity']?.includes('wrong-cluster'),
  );
  assert.not(agent.log.lines.some((line) => line.includes(forged.reveal())));
  cluster.setSecret(TOKEN_SECRET, { token: relay.token().reveal() });
  await eventually('ready', async () => (await readiness(agent)).ready, { seen: () => agent.log.lines.slice(-5) });
});

test('no token is sent to a server that does not chain to the roots', async () => {
  await using cluster = await TestCluster.start();
  await using relay = await TestRelay.start(authority);
  register(cluster, relay, authority);
  cluster.setSecret(ROOT_SECRET, { 'ca.crt': (await TestAuthority.create()).rootsPem });
  await using agent = await startReplica(cluster, relay);
  await eventually('it does not connect', () => agent.log.has('no client certificate yet'));
  assert.equal(relay.registrations, []);
  assert.ok(cluster.secret(TOKEN_SECRET));
});

test('a token that arrives while the server considers the certificate valid is removed unused', async () => {
  await using cluster = await TestCluster.start();
  await using relay = await TestRelay.start(authority);
  register(cluster, relay, authority);
  await using agent = await startReplica(cluster, relay);
  await eventually('ready', async () => (await readiness(agent)).ready);
  cluster.setSecret(TOKEN_SECRET, { token: relay.token().reveal() });
  await eventually('it is gone', () => cluster.secret(TOKEN_SECRET) === undefined);
  assert.equal(relay.registrations, ['ok', 'registered']);
});

test('a token that arrives before the agent has learned of its revocation yields another certificate', async () => {
  await using cluster = await TestCluster.start();
  await using relay = await TestRelay.start(authority);
  register(cluster, relay, authority);
  await using agent = await startReplica(cluster, relay);
  await eventually('ready', async () => (await readiness(agent)).ready);
  const before = text(cluster.secret(CLIENT_SECRET)?.['tls.crt']);
  relay.revoked.add(readCertificates(before, 'test', { max: 3 })[0]?.serial ?? '');
  relay.declared = false;
  cluster.setSecret(TOKEN_SECRET, { token: relay.token().reveal() });
  await eventually('it is not declared yet', () => relay.registrations.includes('undeclared'));
  assert.ok(cluster.secret(TOKEN_SECRET), 'it may be yet');
  relay.declared = true;
  for (const session of relay.open)
    session.close(new RelayError('RELAY_E_UNAVAILABLE', 'its registration has changed'));
  await eventually('another is there', () => text(cluster.secret(CLIENT_SECRET)?.['tls.crt']) !== before, {
    seen: () => [relay.registrations, ...agent.log.lines.slice(-5)],
  });
  await eventually('ready again', async () => (await readiness(agent)).ready);
  assert.is(cluster.secret(TOKEN_SECRET), undefined);
});

test('a certificate of other roots, or of another cluster, is not used', async () => {
  await using cluster = await TestCluster.start();
  await using relay = await TestRelay.start(authority);
  register(cluster, relay, authority);
  {
    await using first = await startReplica(cluster, relay);
    await eventually('ready', async () => (await readiness(first)).ready);
  }
  const good = cluster.secret(CLIENT_SECRET);
  const other = await TestAuthority.create();
  await using newRelay = await TestRelay.start(other);
  register(cluster, newRelay, other);
  await using second = await startReplica(cluster, newRelay, { replica: 'agent-1' });
  await eventually('ready', async () => (await readiness(second)).ready, { seen: () => second.log.lines.slice(-5) });
  assert.equal(newRelay.registrations, ['ok']);
  assert.is.not(cluster.secret(CLIENT_SECRET)?.['tls.crt'], good?.['tls.crt']);
  assert.is(
    second.log.of('client certificate stored')[0]?.['identity'],
    `spiffe://relay.meshrelay.local/cluster/${CLUSTER}/agent`,
  );
});

test('an agent with a revoked certificate keeps it until a token yields another', async () => {
  await using cluster = await TestCluster.start();
  await using relay = await TestRelay.start(authority);
  register(cluster, relay, authority);
  await using agent = await startReplica(cluster, relay);
  await eventually('ready', async () => (await readiness(agent)).ready);
  const before = text(cluster.secret(CLIENT_SECRET)?.['tls.crt']);
  const [leaf] = readCertificates(before, 'test', { max: 3 });
  relay.revoked.add(leaf?.serial ?? '');
  for (const session of relay.open) session.close(new RelayError('RELAY_E_UNAUTHENTICATED', 'it was revoked'));
  await eventually('it says so', async () => (await readiness(agent)).failing['relay']?.includes('it was revoked'));
  cluster.setSecret(TOKEN_SECRET, { token: createToken().reveal() });
  await eventually('a token that buys nothing', () =>
    agent.log.has('the server issues no further certificate for the token'),
  );
  assert.is(text(cluster.secret(CLIENT_SECRET)?.['tls.crt']), before);
  cluster.setSecret(TOKEN_SECRET, { token: relay.token().reveal() });
  await eventually('ready again', async () => (await readiness(agent)).ready, {
    seen: () => agent.log.lines.slice(-5),
  });
  assert.is.not(text(cluster.secret(CLIENT_SECRET)?.['tls.crt']), before);
  assert.is(cluster.secret(TOKEN_SECRET), undefined);
});

test.run();
