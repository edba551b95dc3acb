/** F17: the leading agent dies after some of many writes. */
import { AGENT_USER, isOutput } from '../history/history.ts';
import type { Row } from '../trial/row.ts';
import type { Trial } from '../trial/trial.ts';

export const partialApply: Row = {
  id: 'F17',
  title: 'the leading agent dies after some of many writes',
  inject:
    'every output of cluster-1 is deleted by hand; the agent is killed inside the first, a middle and the last write that puts it back',
  expect: 'the next leader writes what is missing: the end is the same wherever it broke off',
  async run(trial) {
    const { sim } = trial.fleet.cluster('cluster-1');
    const outputs = sim.snapshot().filter((object) => isOutput({ object })).length;
    for (const write of [1, Math.ceil(outputs / 2), outputs - 1]) await dieAt(trial, write);
    await trial.follows();
  },
};

async function dieAt(trial: Trial, write: number): Promise<void> {
  const { fleet, signal } = trial;
  const { sim } = fleet.cluster('cluster-1');
  const leader = await trial.leader('cluster-1');
  let seen = 0;
  const watching = fleet.history.listen(({ cluster, type, actor, object }) => {
    if (cluster !== 'cluster-1' || type !== 'ADDED' || !AGENT_USER.test(actor?.user ?? '') || !isOutput({ object }))
      return;
    seen++;
    if (seen === write) leader.program.signal('SIGKILL');
  });
  for (const object of sim.snapshot()) {
    if (!isOutput({ object })) continue;
    const { apiVersion, kind, metadata } = object;
    const { name, namespace } = metadata;
    sim.objects.delete({ apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) });
  }
  await trial.eventually(
    `the agent to die at write ${write}`,
    () => !leader.running || undefined,
    () => `${seen} writes were seen`,
  );
  watching[Symbol.dispose]();
  await trial.otherLeads('cluster-1', leader);
  await trial.recovers('whole after a death in the middle', async () => {
    await fleet.settled(signal);
    return true;
  });
  leader.start();
}
