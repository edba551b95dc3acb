/** F43: a cluster's identity is revoked. */
import { registerCluster, revokeCluster } from '@meshrelay/cli';
import { type ClusterItem, NAMESPACE } from '@meshrelay/local-fleet';
import { TIMEOUT_MS } from '../fleet/fault-fleet.ts';
import type { Row } from '../trial/row.ts';

export const revoked: Row = {
  id: 'F43',
  title: "a cluster's identity is revoked",
  inject: 'meshctl cluster revoke cluster-2; later it is registered again',
  expect: 'its streams are cut and none is let in; nothing of it is removed; a new registration lets it in',
  figure: { what: 'cut off', limit: 5_000 },
  async run(trial) {
    const { fleet, signal } = trial;
    const { connection: management } = fleet.management;
    const agent = await trial.leader('cluster-2');
    const isConnected = async (): Promise<boolean> => {
      const clusters = await fleet.api().list<ClusterItem>('clusters');
      return clusters.some(({ name, connected }) => name === 'cluster-2' && connected);
    };
    await revokeCluster({ management, namespace: NAMESPACE, now: () => new Date() }, 'cluster-2');
    await trial.recovers('cut off', async () => !(await isConnected()) || undefined);
    const tries = agent.relay.accepted;
    await trial.eventually('it to be refused twice', async () => {
      if (await isConnected()) throw new Error('a revoked cluster was let in');
      return agent.relay.accepted >= tries + 2 || undefined;
    });
    await trial.follows();
    await registerCluster({
      cluster: 'cluster-2',
      management,
      workload: fleet.cluster('cluster-2').connection,
      namespace: NAMESPACE,
      tokenLifetime: 3_600_000,
      timeout: TIMEOUT_MS,
      signal,
      now: () => new Date(),
      step: () => undefined,
    });
    await trial.recovers('admitted again', async () => (await isConnected()) || undefined);
  },
};
