/** F1: the leading agent is killed. */
import { FULL, failoverLimit } from '../fleet/scale.ts';
import { measureFailover } from '../trial/lease.ts';
import type { Row } from '../trial/row.ts';

export const leaderKilled: Row = {
  id: 'F1',
  title: 'the leading agent is killed',
  inject: 'SIGKILL',
  expect: 'another replica leads; outputs stay as they are, edits arrive again',
  figure: { what: 'new leader', limit: failoverLimit(FULL.election) },
  async run(trial) {
    const leader = await trial.leader('cluster-1');
    await leader.kill();
    const next = await trial.otherLeads('cluster-1', leader);
    measureFailover(trial, leader, next);
    await trial.follows();
  },
};
