/** F3: the leading agent stops for longer than its Lease lasts, with a write in flight, and then continues. */
import type { Row } from '../trial/row.ts';

export const leaderStopped: Row = {
  id: 'F3',
  title: 'the leading agent stands still with a write on its way, and continues',
  inject: 'its write is held by the network, then SIGSTOP; once another leads, SIGCONT, and the network delivers',
  expect: 'what was held does not land, nor anything it writes when it wakes; it steps down',
  async run(trial) {
    const { sim } = trial.fleet.cluster('cluster-1');
    const leader = await trial.leader('cluster-1');
    const verbs = ['create', 'update', 'patch', 'delete'];
    const match = { group: 'networking.istio.io', verbs };
    const held = sim.faults.add({ match, fault: { kind: 'held' }, times: 1 });
    const arrived = trial.edit();
    await trial.eventually('a write to be on its way', () => held.struck > 0 || undefined);
    leader.program.signal('SIGSTOP');
    await trial.otherLeads('cluster-1', leader);
    await trial.eventually('the edit to arrive by the other', () => arrived() || undefined);
    const newer = trial.edit();
    await trial.eventually('the next edit to arrive', () => newer() || undefined);
    held[Symbol.dispose]();
    leader.program.signal('SIGCONT');
    await trial.eventually('it to step down', () => leader.program.logged('this replica no longer leads'));
    if (!newer()) throw new Error('an older edit was written over a newer one');
  },
};
