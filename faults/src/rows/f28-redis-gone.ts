/** F28, F29, F30: Redis is gone, comes back empty, or loses data. */
import { isConnected } from '../trial/connected.ts';
import type { Row } from '../trial/row.ts';
import type { Trial } from '../trial/trial.ts';

export const redisKilled: Row = {
  id: 'F28',
  title: 'Redis is gone for long',
  inject: 'SIGKILL; edits meanwhile; it comes back empty',
  expect: 'every server continues from memory, and fills Redis again',
  fleet: 'shared',
  figure: { what: 'Redis filled again', limit: 10_000 },
  async run(trial) {
    const { fleet } = trial;
    const { redis } = fleet;
    const before = await redis.size();
    await redis.server.kill();
    const until = Date.now() + fleet.scale.outage;
    while (Date.now() < until) await trial.follows();
    await redis.restart();
    await filled(trial, before);
    await trial.follows();
  },
};

export const redisEmptied: Row = {
  id: 'F29',
  title: 'Redis is restarted and has nothing',
  inject: 'SIGKILL and a start without persistence',
  expect: 'servers fill it again from memory',
  fleet: 'shared',
  figure: { what: 'Redis filled again', limit: 10_000 },
  async run(trial) {
    const { redis } = trial.fleet;
    const before = await redis.size();
    await redis.restart();
    await filled(trial, before);
    await trial.follows();
  },
};

export const redisForgets: Row = {
  id: 'F30',
  title: 'Redis forgets while a server starts',
  inject: 'FLUSHALL, then FLUSHALL again after one server was killed and started',
  expect: 'what is missing is unknown, not empty: nothing is deleted',
  fleet: 'shared',
  figure: { what: 'Redis filled again', limit: 10_000 },
  async run(trial) {
    const { fleet, signal } = trial;
    const { redis, servers } = fleet;
    const before = await redis.size();
    await redis.server.command('FLUSHALL');
    const [server] = servers;
    await server?.kill();
    server?.start();
    await fleet.started(signal);
    await redis.server.command('FLUSHALL');
    await filled(trial, before);
    await trial.eventually('agents to be connected', () => isConnected(fleet));
    await trial.follows();
  },
};

/** As many keys as before. */
async function filled(trial: Trial, before: number): Promise<void> {
  let size = 0;
  await trial.recovers('Redis filled again', async () => {
    size = await trial.fleet.redis.size();
    return size >= before || undefined;
  });
}
