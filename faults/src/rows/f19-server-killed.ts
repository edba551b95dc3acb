/** F19: a management server is killed. */
import { isConnected } from './connected.ts';
import type { Row } from './row.ts';

export const serverKilled: Row = {
  id: 'F19',
  title: 'a management server is killed',
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
