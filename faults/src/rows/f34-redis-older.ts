/** F34: Redis returns to an earlier state. */
import { guest } from '../trial/guest-service.ts';
import type { Row } from '../trial/row.ts';

export const redisOlder: Row = {
  id: 'F34',
  title: 'Redis loses its last writes',
  inject: 'it is saved, something comes, it is killed and starts from what was saved; a server starts from that',
  expect: 'versions are compared: the newer is written over the older, and nothing goes back',
  fleet: 'shared',
  async run(trial) {
    const { fleet, signal } = trial;
    const { redis, servers } = fleet;
    await redis.dump();
    const newcomer = guest(trial, 'newcomer');
    newcomer.arrive();
    await trial.eventually('the newcomer to be known elsewhere', () => newcomer.isKnownToPeers() || undefined);
    await redis.restart({ saved: true });
    const [server] = servers;
    await server?.kill();
    server?.start();
    await fleet.started(signal);
    await trial.recovers('in order after a rollback', async () => {
      await fleet.settled(signal);
      return true;
    });
    if (!newcomer.isKnownToPeers()) throw new Error('what came after the save was forgotten');
    newcomer.leave();
    await trial.eventually('the newcomer to be forgotten', () => !newcomer.isKnownToPeers() || undefined);
  },
};
