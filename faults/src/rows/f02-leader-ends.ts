/** F2: the leading agent is asked to end. */
import { renewals } from '../trial/lease.ts';
import type { Row } from '../trial/row.ts';

export const leaderEnds: Row = {
  id: 'F2',
  title: 'the leading agent is asked to end',
  inject: 'SIGTERM',
  expect: 'it finishes, releases the Lease last, and another replica leads at once',
  figure: { what: 'graceful hand-over', limit: 5_000 },
  async run(trial) {
    const leader = await trial.leader('cluster-1');
    const requested = Date.now();
    const gone = leader.terminate();
    const next = await trial.otherLeads('cluster-1', leader);
    const first = renewals(trial.writes(), next, next.cluster).find((at) => at > requested);
    if (first === undefined) throw new Error(`${next.name} leads without having written the Lease`);
    trial.measure('graceful hand-over', first - requested);
    await gone;
    await trial.follows();
  },
};
