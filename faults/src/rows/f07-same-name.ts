/** F7: a pod is started again on another node while the old one, cut off, continues. */
import { BLACKHOLE } from '@meshrelay/fault-proxy';
import { failoverLimit } from '../fleet/scale.ts';
import { holders } from '../trial/lease.ts';
import type { Row } from '../trial/row.ts';

/** Tolerance for clocks and processes, in milliseconds. */
const TOLERANCE = 100;

export const sameName: Row = {
  id: 'F7',
  title: 'two processes of one name contend for the Lease',
  inject: "a second process with the leader's name; then the first is cut off from its API server",
  expect: 'the name alone gives no right to the Lease: the second waits for the whole of it',
  async run(trial) {
    const { fleet } = trial;
    const { election } = fleet.scale;
    const leader = await trial.leader('cluster-1');
    for (const other of fleet.agentsOf('cluster-1')) if (other !== leader) await other.terminate();
    const first = (): string | undefined => holders(trial.writes(), 'cluster-1').at(-1)?.holder;
    const owner = await trial.eventually('the leader to renew', first);
    await using twin = await leader.twin();
    const program = twin.start();
    await trial.eventually('the second to start', () => program.logged('agent started'));
    const since = Date.now();
    const enough = since + 1.5 * election.leaseDuration;
    await trial.eventually('the first to renew for longer than its Lease lasts', () => {
      const renewals = holders(trial.writes(), 'cluster-1').filter(({ at }) => at > since);
      const thief = renewals.find(({ holder }) => holder !== owner);
      if (thief !== undefined) throw new Error(`${thief.holder} took the Lease of ${owner}, who renewed it`);
      return renewals.some(({ at }) => at > enough) || undefined;
    });
    leader.api.setFaults(BLACKHOLE);
    const next = await trial.eventually('the second to lead', () =>
      holders(trial.writes(), 'cluster-1').find(({ holder }) => holder !== owner),
    );
    const last = holders(trial.writes(), 'cluster-1').findLast(({ holder, at }) => holder === owner && at < next.at);
    const waited = next.at - (last?.at ?? 0);
    trial.measure('Lease after a cut-off of its name', waited);
    if (waited < election.leaseDuration - TOLERANCE) throw new Error(`the second waited ${waited} ms only`);
    const limit = failoverLimit(election) * fleet.scale.slack;
    if (waited > limit) throw new Error(`the second waited ${waited} ms, allowed are ${limit} ms`);
    await trial.follows();
    await twin.terminate();
  },
};
