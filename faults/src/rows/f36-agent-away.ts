/** F36: a cluster's agent is disconnected for long. */
import type { ClusterItem } from '@meshrelay/local-fleet';
import type { Row } from '../trial/row.ts';

export const agentAway: Row = {
  id: 'F36',
  title: "a cluster's agent is away for long",
  inject: "cluster-2's agent is ended, and started when other clusters have been edited for a while",
  expect: 'the server says so; what the cluster had counts on; nothing of it is removed anywhere',
  figure: { what: 'absence shown', limit: 10_000 },
  async run(trial) {
    const { fleet } = trial;
    const agent = await trial.leader('cluster-2');
    await agent.kill();
    await trial.recovers('absence shown', async () => {
      const clusters = await fleet.api().list<ClusterItem>('clusters');
      return clusters.find(({ name }) => name === 'cluster-2')?.connected === false || undefined;
    });
    const until = Date.now() + fleet.scale.outage;
    while (Date.now() < until) await trial.follows();
    agent.start();
  },
};
