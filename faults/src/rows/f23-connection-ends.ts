/** F23: an intermediary between agent and server ends the connection, in order or not. */
import { isConnected } from '../trial/connected.ts';
import type { Row } from '../trial/row.ts';
import type { Trial } from '../trial/trial.ts';

export const connectionEnds: Row = {
  id: 'F23',
  title: 'the connection to the server is ended on the way',
  inject: 'a load balancer closes it in order; a firewall resets it; both, in the middle of an edit, too',
  expect: 'a new one continues where the old one ended: nothing is written again',
  figure: { what: 'connected again', limit: 2_000 },
  async run(trial) {
    const leader = await trial.leader('cluster-1');
    for (const end of ['close', 'reset'] as const) {
      const before = leader.relay.accepted;
      leader.relay[end]();
      await trial.recovers(
        'connected again',
        async () => leader.relay.accepted > before && (await isConnected(trial.fleet)),
      );
      await inTheMiddle(trial, () => leader.relay[end]());
    }
  },
};

async function inTheMiddle(trial: Trial, end: () => void): Promise<void> {
  const arrived = trial.edit();
  end();
  await trial.eventually('the edit to arrive', () => arrived() || undefined);
}
