/** F25: a cluster has two sets of open streams: those of a replaced agent and those of the leader. */
import type { ClusterItem } from '@meshrelay/local-fleet';
import type { Row } from '../trial/row.ts';
import type { Trial } from '../trial/trial.ts';

export const twoStreams: Row = {
  id: 'F25',
  title: 'a cluster is connected twice',
  inject: 'SIGSTOP of the leading agent, whose connection stays open; once another leads and is connected, SIGCONT',
  expect: 'the newer term is heard and served; the older is cut off, whatever it still says',
  async run(trial) {
    const leader = await trial.leader('cluster-1');
    const before = await term(trial);
    leader.program.signal('SIGSTOP');
    await trial.otherLeads('cluster-1', leader);
    const after = await trial.eventually('the newer term to be known', async () => {
      const now = await term(trial);
      return now > before ? now : undefined;
    });
    await trial.follows();
    leader.program.signal('SIGCONT');
    await trial.eventually('the older to step down', async () => {
      const now = await term(trial);
      if (now < after) throw new Error(`the server went back from term ${after} to ${now} of cluster-1`);
      return leader.program.logged('this replica no longer leads');
    });
    await trial.follows();
  },
};

/** The term of cluster-1's inputs that the server uses. */
async function term({ fleet }: Trial): Promise<number> {
  const clusters = await fleet.api().list<ClusterItem & { readonly version?: string }>('clusters');
  const version = clusters.find(({ name }) => name === 'cluster-1')?.version ?? '0/0';
  return Number(version.split('/')[0]);
}
