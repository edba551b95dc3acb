/** F33: Redis responds, but is unusable. */
import type { ConnectionFaults } from '@meshrelay/fault-proxy';
import type { Row } from '../trial/row.ts';
import type { Trial } from '../trial/trial.ts';

export const redisSick: Row = {
  id: 'F33',
  title: 'Redis is full, read-only, slow, or dribbles',
  inject: 'maxmemory 1 MB without eviction; REPLICAOF a server that is not there; 2 s of latency; 200 bytes a second',
  expect: 'every server continues from memory, whatever Redis says; when it is well again, it is filled',
  fleet: 'shared',
  async run(trial) {
    const { fleet } = trial;
    const { server } = fleet.redis;
    await server.command('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
    await sick(trial, 'full', async () => void (await server.command('CONFIG', 'SET', 'maxmemory', '1mb')));
    await server.command('CONFIG', 'SET', 'maxmemory', '0');
    await sick(trial, 'read-only', async () => void (await server.command('REPLICAOF', '127.0.0.1', '1')));
    await server.command('REPLICAOF', 'NO', 'ONE');
    const setAllFaults = (faults: ConnectionFaults): void => {
      for (const { store } of fleet.servers) store.setFaults(faults);
    };
    await sick(trial, 'slow', async () => setAllFaults({ toClient: { latency: 2_000 } }));
    await sick(trial, 'dribbling', async () => setAllFaults({ toClient: { bandwidth: 200 } }));
    setAllFaults({});
    await trial.follows();
  },
};

/** Edits still arrive. */
async function sick(trial: Trial, how: string, become: () => Promise<void>): Promise<void> {
  await become();
  for (let edit = 0; edit < 3; edit++) {
    const arrived = trial.edit();
    await trial.recovers(`edit arrives while Redis is ${how}`, () => arrived() || undefined);
  }
}
