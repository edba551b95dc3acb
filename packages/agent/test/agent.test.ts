/** End to end: the agent against an API server and a relay. */

import { CLIENT_SECRET, TOKEN_SECRET } from '@meshrelay/relay-core';
import { countPushedKinds, output, TestCluster } from '@meshrelay/test-cluster';
import { assert, eventually, test } from '@meshrelay/testing';
import { metric, readiness, register, startReplica } from './harness/agents.ts';
import { TestAuthority, TestRelay } from './harness/relay.ts';

const authority = await TestAuthority.create();

test('a registered cluster is pushed, and receives its desired state', async () => {
  await using cluster = await TestCluster.start();
  await using relay = await TestRelay.start(authority);
  register(cluster, relay, authority);
  relay.commit({ upserts: [output('VirtualService', 'reviews', { hosts: ['reviews'] })] });
  await using agent = await startReplica(cluster, relay);
  await eventually('the output is there', () => cluster.get('VirtualService', 'reviews'), {
    seen: () => agent.log.lines,
  });
  assert.ok(cluster.secret(CLIENT_SECRET)?.['tls.crt']);
  assert.is(cluster.secret(TOKEN_SECRET), undefined);
  await eventually('all kinds are synced', () => relay.synced.size === countPushedKinds(), {
    seen: () => [...relay.synced],
  });
  await eventually('ready', async () => (await readiness(agent)).ready);
  await eventually('the vector is kept', () => cluster.ledger()?.inputVector?.['cluster-1'] === '1/1');
  assert.is(cluster.ledger()?.term, 1);
  assert.is(await metric(agent, 'leader'), 1);
  assert.is(await metric(agent, 'relay_connected'), 1);
  assert.is(await metric(agent, 'desired_outputs'), 1);
  assert.ok(((await metric(agent, 'certificate_expiry_timestamp_seconds')) ?? 0) > Date.now() / 1000);
});

test.run();
