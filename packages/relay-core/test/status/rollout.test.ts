/** Rollout in the status of a WasmDeployment: counts of proxies, and the first workloads that lag behind. */
import type { PolicyRef } from '@meshrelay/api';
import { key } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { createGraph } from '../../src/graph/graph.ts';
import type { PolicyAckStatus } from '../../src/output/proxy-status.ts';
import { type RolloutStatus, rollouts } from '../../src/status/rollout.ts';
import { policyKey } from '../../src/store/fleet-state.ts';

const auth: PolicyRef = { kind: 'WasmDeployment', name: 'auth', namespace: 'shop', cluster: '' };
const behind = (name: string, pending: number, failed = 0) => ({ namespace: 'shop', name, pending, failed });

function statusOf(...reported: ReadonlyArray<Omit<PolicyAckStatus, 'policy'>>): RolloutStatus | undefined {
  const graph = createGraph();
  const ackStatus = graph.source<PolicyAckStatus>('ack-status');
  const deployments = graph.source<string>('deployments');
  const rolloutOf = rollouts(graph, ackStatus);
  const statuses = graph.derive('statuses', deployments, (_, read, at) => rolloutOf(at, read));
  graph.commit((transaction) => {
    transaction.set(deployments, policyKey(auth), 'auth');
    for (const [index, one] of reported.entries())
      transaction.set(ackStatus, key(String(index)), { ...one, policy: auth });
  });
  return statuses.get(policyKey(auth));
}

test('without reports of proxies, the rollout is absent', () => {
  assert.is(statusOf(), undefined);
});

test('all proxies have accepted it', () => {
  const status = statusOf({ cluster: 'east', proxies: 3, pending: 0, failed: 0, workloads: [] });
  assert.equal(status?.facts.rollout, { deployed: 3, pending: 0, failed: 0, workloads: [] });
  assert.equal(
    status?.conditions.map(({ type, status: holds, reason }) => [type, holds, reason]),
    [['Deployed', 'True', 'Taken']],
  );
});

test('counts of all clusters and modules are summed; failed workloads come first, each once', () => {
  const status = statusOf(
    { cluster: 'east', proxies: 3, pending: 2, failed: 0, workloads: [behind('a', 1), behind('b', 1)] },
    { cluster: 'east', proxies: 3, pending: 0, failed: 1, workloads: [behind('b', 0, 1)] },
    { cluster: 'west', proxies: 1, pending: 1, failed: 0, workloads: [behind('a', 1)] },
  );
  assert.equal(status?.facts.rollout, {
    deployed: 3,
    pending: 3,
    failed: 1,
    workloads: [
      { cluster: 'east', state: 'FAILED', ...behind('b', 1, 1) },
      { cluster: 'east', state: 'PENDING', ...behind('a', 1) },
      { cluster: 'west', state: 'PENDING', ...behind('a', 1) },
    ],
  });
  assert.is(status?.conditions[0]?.reason, 'Failed');
});

test('of many workloads the first are listed', () => {
  const workloads = Array.from({ length: 10 }, (_, index) => behind(`w${index}`, 1));
  const all = ['a', 'b', 'c'].map((cluster) => ({ cluster, proxies: 50, pending: 50, failed: 0, workloads }));
  const status = statusOf(...all);
  assert.is(status?.facts.rollout?.workloads.length, 20);
  assert.is(status?.facts.rollout?.pending, 150);
  assert.is(status?.conditions[0]?.reason, 'Pending');
});

test.run();
