/** F19: one of the management servers is killed. */
import { isConnected } from '../trial/connected.ts';
import type { Row } from '../trial/row.ts';
import { serverOf } from '../trial/servers.ts';

export const serverKilled: Row = {
  id: 'F19',
  title: 'one of three management servers is killed',
  inject: "SIGKILL of the server that has cluster-1's agent",
  expect: 'its agents connect to another, which knows what it knew; nothing is written again, edits arrive',
  fleet: 'shared',
  figure: { what: 'agents connected again', limit: 5_000 },
  async run(trial) {
    const { fleet } = trial;
    const server = await trial.eventually('a server to have cluster-1', () => serverOf(fleet, 'cluster-1'));
    await server.kill();
    await trial.recovers('agents connected again', () => isConnected(fleet));
    await trial.recovers('edit arrives by another server', arrives(trial.edit()));
  },
};

/** The only server dies, and another begins with no state. */
export const onlyServerKilled: Row = {
  id: 'F19b',
  title: 'the only management server is killed',
  inject: 'SIGKILL, and a new one is started, as Kubernetes does',
  expect: 'agents connect to what is there; nothing is written that changes nothing, edits arrive again',
  figure: { what: 'agents connected again', limit: 5_000 },
  async run(trial) {
    const { fleet, signal } = trial;
    const [server] = fleet.servers;
    if (server === undefined) throw new Error('the fleet has no server');
    await server.kill();
    server.start();
    await trial.eventually('the server to start', () => server.program.logged('management server started'));
    await trial.recovers('agents connected again', () => isConnected(fleet));
    await fleet.settled(signal);
    await trial.follows();
  },
};

function arrives(arrived: () => boolean): () => true | undefined {
  return () => arrived() || undefined;
}
