/** F22: the connection between an agent and the server is dead, and neither end is notified. */
import type { ClusterItem } from '@meshrelay/local-fleet';
import type { Row } from '../trial/row.ts';
import { serverOf } from '../trial/servers.ts';

export const halfOpen: Row = {
  id: 'F22',
  title: 'a connection to the server is dead, and neither side gets an error',
  inject: 'nothing passes any more over the connection of the leading agent; new connections work',
  expect: 'both sides notice, the agent reconnects, and edits made meanwhile arrive',
  figure: { what: 'edit arrives after silence', limit: 20_000 },
  async run(trial) {
    const leader = await trial.leader('cluster-1');
    leader.relay.freeze();
    const arrived = trial.edit();
    await trial.recovers('edit arrives after silence', () => arrived() || undefined);
  },
};

export const silentServer: Row = {
  id: 'F22s',
  title: "the connection to an agent's server is dead without an error, and other servers run",
  inject:
    "nothing passes any more between cluster-1's leading agent and its server; the way to the other servers is open",
  expect: 'the agent is at another server, which says so by its own knowledge, and what was edited meanwhile arrives',
  fleet: 'shared',
  figure: { what: 'agent at another server', limit: 20_000 },
  async run(trial) {
    const { fleet } = trial;
    const server = await trial.eventually('a server to have cluster-1', () => serverOf(fleet, 'cluster-1'));
    const other = fleet.servers.find((each) => each !== server);
    if (other === undefined) throw new Error('the fleet has one server only');
    const leader = await trial.leader('cluster-1');
    fleet.route = other;
    leader.relay.freeze();
    const arrived = trial.edit();
    await trial.recovers('agent at another server', async () => {
      const clusters = await fleet.api(other).list<ClusterItem>('clusters');
      const item = clusters.find(({ name }) => name === 'cluster-1');
      return (item?.connected === true && item.replica === undefined) || undefined;
    });
    await trial.eventually('the edit to arrive', () => arrived() || undefined);
    fleet.route = undefined;
  },
};
