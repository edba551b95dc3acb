/** F20: every management server is killed; Redis is not. */
import type { Row } from '../trial/row.ts';
import { killServers, startServers } from '../trial/servers.ts';

export const allServersKilled: Row = {
  id: 'F20',
  title: 'every management server is killed, Redis is not',
  inject: 'SIGKILL of all, then all are started',
  expect: 'they continue from what Redis has; nothing is deleted',
  fleet: 'shared',
  figure: { what: 'first output after a start from Redis', limit: 15_000 },
  async run(trial) {
    const { fleet, signal } = trial;
    await killServers(fleet);
    const arrived = trial.edit();
    await trial.recovers('first output after a start from Redis', async () => {
      await startServers(fleet, signal);
      return arrived() || undefined;
    });
  },
};
