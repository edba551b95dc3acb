/** F35: one server does not see the state that the others share, and an agent moves to it. */
import { BLACKHOLE } from '@meshrelay/fault-proxy';
import { isConnected } from '../trial/connected.ts';
import { guest } from '../trial/guest-service.ts';
import type { Row } from '../trial/row.ts';
import { serverOf } from '../trial/servers.ts';

export const redisParted: Row = {
  id: 'F35',
  title: 'one server is cut off from Redis, and an agent moves to it',
  inject: 'all agents are on one server; another is cut off from Redis; something comes; an agent moves there',
  expect: 'the agent takes nothing that is older than what it has, until the server has caught up',
  fleet: 'shared',
  async run(trial) {
    const { fleet, signal } = trial;
    // New hosts wait for the deciding server. If that one were cut off from Redis, it would not learn of the new host,
    // and the row would have no effect.
    const ahead = await trial.eventually('a server to decide', () => fleet.decider());
    const behind = fleet.servers.find((server) => server !== ahead);
    if (behind === undefined) throw new Error('the fleet has fewer than two servers');
    fleet.route = ahead;
    for (const agent of fleet.agents) agent.relay.reset();
    await trial.eventually('all agents to be on one server', async () => {
      const servers = await Promise.all(fleet.workloads.map(({ plan }) => serverOf(fleet, plan.name)));
      return servers.every((server) => server === ahead) || undefined;
    });
    await fleet.settled(signal);
    behind.store.setFaults(BLACKHOLE);
    const newcomer = guest(trial, 'newcomer');
    newcomer.arrive();
    await trial.eventually('the newcomer to be known elsewhere', () => newcomer.isKnownToPeers() || undefined);
    const mover = await trial.leader('cluster-2');
    fleet.route = behind;
    mover.relay.reset();
    await trial.eventually('the agent to be offered less than it has', () =>
      mover.program.logged('the server has older inputs than the applied outputs'),
    );
    if (!newcomer.isKnownToPeers()) throw new Error('an agent took outputs of older inputs than it had seen');
    behind.store.setFaults({});
    fleet.route = undefined;
    await trial.recovers('caught up', () => isConnected(fleet));
    await fleet.settled(signal);
    if (!newcomer.isKnownToPeers()) throw new Error('the newcomer was forgotten');
    newcomer.leave();
    await trial.eventually('the newcomer to be forgotten', () => !newcomer.isKnownToPeers() || undefined);
  },
};
