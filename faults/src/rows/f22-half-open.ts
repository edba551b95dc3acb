/** F22: the connection between an agent and the server is dead, and neither is told. */
import type { Row } from './row.ts';

export const halfOpen: Row = {
  id: 'F22',
  title: 'a connection to the server is dead, and nobody is told',
  inject: 'nothing passes any more over the connection of the leading agent; new connections work',
  expect: 'both sides notice, the agent connects anew, and what was edited meanwhile arrives',
  figure: { what: 'edit arrives after silence', limit: 20_000 },
  async run(trial) {
    const leader = await trial.leader('cluster-1');
    leader.relay.freeze();
    const arrived = trial.edit();
    await trial.recovers('edit arrives after silence', () => arrived() || undefined);
  },
};
