/** F10: watches cannot resume at their last version: agents still notice objects that were deleted meanwhile. */
import { guest } from '../trial/guest-service.ts';
import type { Row } from '../trial/row.ts';

export const watchExpired: Row = {
  id: 'F10',
  title: "the API server has forgotten where a leader's watches ended",
  inject: 'watches are cut, reads answer 503, objects come and go, history is compacted, reads work again',
  expect: 'everything is listed again, and what went meanwhile is taken for gone',
  figure: { what: 'seen after 410', limit: 5_000 },
  async run(trial) {
    const { fleet, signal } = trial;
    const { sim } = fleet.cluster('cluster-1');
    const goes = guest(trial, 'leaves');
    goes.arrive();
    await fleet.settled(signal);
    await trial.eventually('the peer to be informed', () => goes.isKnownToPeers() || undefined);
    const leader = await trial.leader('cluster-1');
    const match = { user: leader.name, verbs: ['list', 'watch'] };
    const reads = sim.faults.add({ match: { ...match, resource: 'services' }, fault: { kind: 'error', code: 503 } });
    const cut = sim.faults.add({ match: { ...match, resource: 'services' }, fault: { kind: 'dropped-watch' } });
    await trial.eventually('a watch to be refused', () => reads.struck > 0 || undefined);
    const comes = guest(trial, 'arrives');
    goes.leave();
    comes.arrive();
    sim.compact();
    for (const fault of [cut, reads]) fault[Symbol.dispose]();
    await trial.recovers('seen after 410', () => (comes.isKnownToPeers() && !goes.isKnownToPeers()) || undefined);
    comes.leave();
    await trial.eventually('the guest to be forgotten', () => !comes.isKnownToPeers() || undefined);
  },
};
