/** F39: a cluster is deregistered, and registered again. */
import { deregisterCluster, registerCluster } from '@meshrelay/cli';
import { NAMESPACE } from '@meshrelay/local-fleet';
import { TIMEOUT_MS } from '../fleet/fault-fleet.ts';
import { isOutput } from '../history/history.ts';
import { keyOf } from '../offline/compare.ts';
import { translateOffline } from '../offline/translate.ts';
import type { Row } from '../trial/row.ts';

export const deregistered: Row = {
  id: 'F39',
  title: 'a cluster is deregistered',
  inject: 'meshctl cluster deregister cluster-2 --mode drain; later it is registered again',
  expect:
    'its generated objects are deleted, then the objects of other clusters that depend on it, and nothing else; after registration all come back',
  figure: { what: 'drained', limit: 30_000 },
  async run(trial) {
    const { fleet, signal } = trial;
    const { sim, connection } = fleet.cluster('cluster-2');
    const common = { management: fleet.management.connection, namespace: NAMESPACE, cluster: 'cluster-2' };
    const steps = { now: () => new Date(), step: () => undefined };
    await trial.recovers('drained', async () => {
      await deregisterCluster({ ...common, ...steps, mode: 'drain', timeout: TIMEOUT_MS, signal });
      return true;
    });
    const expected = await translateOffline(fleet, ['cluster-2']);
    const retained = new Set(expected.map(({ cluster, object }) => `${cluster} ${keyOf(object)}`));
    trial.mayDelete(({ cluster, object }) => !retained.has(`${cluster} ${keyOf(object)}`));
    const left = sim.snapshot().filter((object) => isOutput({ object }));
    if (left.length > 0) throw new Error(`cluster-2 was drained and has ${left.length} outputs`);
    await registerCluster({
      ...common,
      ...steps,
      workload: connection,
      tokenLifetime: 3_600_000,
      timeout: TIMEOUT_MS,
      signal,
    });
    await fleet.settled(signal);
    await trial.follows();
  },
};
