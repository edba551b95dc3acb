/** F37: an agent starts while its API server returns empty lists. */
import type { Row } from '../trial/row.ts';
import type { Trial } from '../trial/trial.ts';

/** Kinds from which Istio's meshes are discovered. */
const KINDS = ['services', 'pods', 'deployments', 'endpointslices', 'configmaps'];

/** How the server's deletion guard reports that it holds deletions. */
const HELD = 'outputs are no longer desired, and no user deleted the objects they are derived from';

export const emptySnapshot: Row = {
  id: 'F37',
  title: 'an agent begins where its API server says that there is nothing',
  inject: "cluster-2's agent is killed and started while lists of what it discovers from are empty",
  expect: 'what would go for that is held, everywhere; when lists are whole again, all is as it was',
  async run(trial) {
    const { sim } = trial.fleet.cluster('cluster-2');
    const agent = await trial.leader('cluster-2');
    // Discovered objects mirror what an agent sends, even if it received wrong data; outputs must stay.
    trial.mayDelete(({ group }) => group === 'discovery.meshrelay.dev');
    const before = outputs(trial);
    const began = Date.now() / 1000;
    await agent.kill();
    const empty = KINDS.map((resource) =>
      sim.faults.add({ match: { user: agent.name, resource }, fault: { kind: 'empty-list' } }),
    );
    const program = agent.start();
    await trial.eventually('it to connect to the server', () => program.logged('connected to the management server'));
    const [server] = trial.fleet.servers;
    const isHeld = (): true | undefined =>
      server?.program.lines().some(({ ts, msg }) => Number(ts) > began && String(msg).startsWith(HELD)) || undefined;
    await trial.recovers('shrink held', isHeld);
    if (outputs(trial) < before) throw new Error(`of ${before} outputs ${outputs(trial)} are left`);
    for (const fault of empty) fault[Symbol.dispose]();
    // An agent that began with empty lists receives the other objects when it lists again. Its watches, which resume
    // from the empty state, expire once.
    for (const resource of KINDS) {
      const match = { user: agent.name, resource };
      sim.faults.add({ match, fault: { kind: 'expired-watch' } })[Symbol.dispose]();
    }
    await trial.follows();
  },
};

function outputs({ fleet }: Trial): number {
  const owned = fleet.workloads.flatMap(({ sim }) => sim.snapshot());
  return owned.filter(({ metadata }) => metadata.labels?.['meshrelay.dev/owner'] !== undefined).length;
}
