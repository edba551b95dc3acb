/** The reported status of an agent whose present state is unknown. */
import { assert, test } from '@meshrelay/testing';
import { LastAgentStatuses } from '../../src/controllers/last-agent-statuses.ts';
import type { ClusterRecord } from '../../src/status/cluster-record.ts';

const DAY = '2030-01-01T00:00:00.000Z';
const LATER = '2030-01-02T00:00:00.000Z';
const record: ClusterRecord = {
  cluster: 'c1',
  replica: 'r1',
  connected: true,
  term: 3,
  program: 'agent/1.2.3',
  capabilities: [],
  inputs: { complete: true, lag: 0, missing: [], missingCount: 0, version: { term: 3, seq: 14 } },
  outputs: { lag: 0, refused: 0, behind: [] },
};

test('an agent whose replica died while this one reported it was connected until now', () => {
  let now = new Date(DAY);
  const agents = new LastAgentStatuses(() => now, new Date('2020-01-01T00:00:00Z'));
  assert.is(agents.announce('c1', record).connectedReplica, 'r1');
  const away = { inputVersion: '3/14', agentVersion: 'agent/1.2.3', capabilities: [], lastReplica: 'r1' };
  assert.equal(agents.announce('c1', undefined), { ...away, lastConnectedTime: DAY });
  now = new Date(LATER);
  assert.equal(agents.announce('c1', undefined), { ...away, lastConnectedTime: DAY }, 'nothing is heard of it since');
  assert.is(agents.announce('c1', record).lastConnectedTime, undefined);
});

test('an agent known only by its status was connected until its reporter lost the Lease, else until now', () => {
  const now = () => new Date(LATER);
  const live = { connectedReplica: 'r0', inputVersion: '2/1' };
  const reported = { lastReplica: 'r0', inputVersion: '2/1' };
  assert.equal(new LastAgentStatuses(now, new Date(DAY)).announce('c1', undefined, live), {
    ...reported,
    lastConnectedTime: DAY,
  });
  assert.equal(new LastAgentStatuses(now, undefined).announce('c1', undefined, live), {
    ...reported,
    lastConnectedTime: LATER,
  });
});

test('a cluster that is registered again does not inherit the earlier status', () => {
  const agents = new LastAgentStatuses(() => new Date(DAY), undefined);
  agents.announce('c1', record);
  agents.forget('c1');
  assert.equal(agents.announce('c1', undefined), {});
});

test.run();
