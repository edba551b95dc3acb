/**
 * F1, F3 and F19 without agents: the servers contend for each cluster's Lease, so the leader of a cluster and a server
 * are one process.
 */
import { FULL, failoverLimit } from '../fleet/scale.ts';
import { isConnected } from '../trial/connected.ts';
import { measureFailover } from '../trial/lease.ts';
import type { Row } from '../trial/row.ts';
import { leaderStopped } from './f03-leader-stopped.ts';

export const directLeaderKilled: Row = {
  id: 'F19d',
  title: 'in direct mode, the server that leads a cluster is killed (F1, F19)',
  inject: 'SIGKILL',
  expect: 'another server takes over what it led, and knows what it knew; outputs stay as they are, edits arrive again',
  fleet: 'direct',
  figure: [
    { what: 'new leader', limit: failoverLimit(FULL.election) },
    { what: 'every cluster known again', limit: 10_000 },
  ],
  async run(trial) {
    const { fleet } = trial;
    const leader = await trial.leader('cluster-1');
    const led = await trial.ledBy(leader);
    await leader.kill();
    for (const cluster of led) measureFailover(trial, leader, await trial.otherLeads(cluster, leader), cluster);
    await trial.recovers('every cluster known again', () => isConnected(fleet));
    await trial.follows();
  },
};

export const directLeaderStopped: Row = {
  ...leaderStopped,
  id: 'F3d',
  title: 'in direct mode, the server that leads a cluster stands still with a write on its way, and continues',
  fleet: 'direct',
};
