/** The leader tells by which roots the cluster's Envoys verify each other. */
import { RootsTeller } from '../workload-ca/tell-roots.ts';
import type { LeaderDuty } from './duties.ts';

export const workloadRootsDuty: LeaderDuty = {
  name: 'workload-roots',
  who: 'leader',
  start({ config, connection, dataPlane, clock, random, logger, reign }) {
    const { workloadCa: ca } = dataPlane;
    if (ca === undefined) throw new Error('roots are told of a CA that is there; mend the order of duties');
    const { namespace } = config;
    const check = (): void => reign.fence.check();
    const log = logger.child('workload-ca');
    const teller = new RootsTeller({ connection, namespace, ca, check, clock, random, logger: log });
    reign.roots = teller;
    return teller;
  },
};
