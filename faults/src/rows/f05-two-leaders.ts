/** F5: two agents both believe that they lead. */
import type { Row } from '../trial/row.ts';

export const twoLeaders: Row = {
  id: 'F5',
  title: 'two agents both believe that they lead',
  inject: "the first leader's renewals are answered as if they were stored, and are not; outputs are changed by hand",
  expect: 'only the newer term updates and deletes; the older learns of it and steps down',
  async run(trial) {
    trial.electionLies = true;
    const { fleet } = trial;
    const { sim } = fleet.cluster('cluster-1');
    const first = await trial.leader('cluster-1');
    const match = { user: first.name, verbs: ['update', 'patch'], resource: 'leases' };
    using pretended = sim.faults.add({ match, fault: { kind: 'pretended' } });
    const second = await trial.otherLeads('cluster-1', first);
    await trial.eventually('renewals to be pretended', () => pretended.struck > 0 || undefined);
    // Each agent that believes to lead now sees an output that differs from its desired state.
    const name = {
      apiVersion: 'networking.istio.io/v1',
      kind: 'VirtualService',
      namespace: 'bookshop',
      name: 'meshrelay-reviews',
    };
    for (let round = 0; round < 5; round++) {
      const live = sim.objects.get(name);
      if (live === undefined) throw new Error('cluster-1 has no VirtualService meshrelay-reviews');
      const spec = { ...(live['spec'] as object), hosts: ['changed.by.hand'] };
      const changed = sim.objects.update({ ...live, spec });
      const repaired = (): true | undefined =>
        sim.objects.get(name)?.metadata.resourceVersion !== changed.metadata.resourceVersion || undefined;
      await trial.eventually('the change to be repaired', repaired);
    }
    await trial.eventually('the first to step down', () => first.program.logged('this replica no longer leads'));
    await trial.follows();
    if ((await trial.leader('cluster-1')) !== second) throw new Error(`${second.name} leads no longer`);
  },
};
