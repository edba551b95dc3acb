/** Leader: publishes the roots with which the cluster's Envoys verify each other. */
import { RootsPublisher } from '../workload-ca/publish-roots.ts';
import type { LeaderController } from './controllers.ts';

export const workloadRootsController: LeaderController = {
  name: 'workload-roots',
  runsOn: 'leader',
  start({ config, connection, dataPlane, clock, random, logger, leaderTerm }) {
    const { workloadCa: ca } = dataPlane;
    if (ca === undefined) throw new Error('the workload roots need the workload CA; start this controller after it');
    const { namespace } = config;
    const check = (): void => leaderTerm.fence.check();
    const log = logger.child('workload-ca');
    const publisher = new RootsPublisher({ connection, namespace, ca, check, clock, random, logger: log });
    leaderTerm.roots = publisher;
    return publisher;
  },
};
