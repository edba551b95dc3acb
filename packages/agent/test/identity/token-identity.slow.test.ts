/**
 * A token as the agent's identity, over the real streams: from its Secret or the environment, replaced while they run.
 */

import { createToken } from '@meshrelay/pki';
import { CLIENT_SECRET, ROOT_SECRET, TOKEN_SECRET } from '@meshrelay/relay-core';
import { TestCluster } from '@meshrelay/test-cluster';
import { assert, eventually, test } from '@meshrelay/testing';
import { readiness, startReplica } from '../harness/agents.ts';
import { TestAuthority, TestRelay } from '../harness/relay.ts';

const authority = await TestAuthority.create();
const TLS = { mode: 'tls' as const };

test('an agent in TLS-only mode waits for its token, presents it, keeps it, and adopts another by itself', async () => {
  await using cluster = await TestCluster.start();
  await using relay = await TestRelay.start(authority);
  cluster.setSecret(ROOT_SECRET, { 'ca.crt': authority.rootsPem });
  await using agent = await startReplica(cluster, relay, TLS);
  await eventually('it says what is missing', async () =>
    (await readiness(agent)).failing['identity']?.includes('meshctl token create NAME --long-lived'),
  );
  const [first, second] = [createToken(), createToken()];
  relay.tokens.add(first.reveal()).add(second.reveal());
  cluster.setSecret(TOKEN_SECRET, { token: first.reveal() });
  await eventually('ready', async () => (await readiness(agent)).ready, { seen: () => agent.log.lines.slice(-5) });
  assert.ok(cluster.secret(TOKEN_SECRET), 'a token that is the identity stays');
  assert.is(cluster.secret(CLIENT_SECRET), undefined);
  cluster.setSecret(TOKEN_SECRET, { token: second.reveal() });
  await eventually('the other one is presented', () => relay.presented.at(-1) === second.reveal());
  await eventually('ready', async () => (await readiness(agent)).ready);
  for (const token of [first, second]) assert.not(agent.log.lines.some((line) => line.includes(token.reveal())));
});

test('the environment precedes the Secret, and no token goes to a server that does not chain to the roots', async () => {
  await using cluster = await TestCluster.start();
  await using relay = await TestRelay.start(authority);
  cluster.setSecret(ROOT_SECRET, { 'ca.crt': (await TestAuthority.create()).rootsPem });
  const token = createToken();
  relay.tokens.add(token.reveal());
  await using agent = await startReplica(cluster, relay, { ...TLS, token: token.reveal() });
  await eventually('it does not connect', () => agent.log.has('relay connection ended'));
  assert.equal(relay.presented, []);
  cluster.setSecret(ROOT_SECRET, { 'ca.crt': authority.rootsPem });
  await eventually('ready', async () => (await readiness(agent)).ready, { seen: () => agent.log.lines.slice(-5) });
  assert.is(relay.presented.at(-1), token.reveal());
});

test.run();
