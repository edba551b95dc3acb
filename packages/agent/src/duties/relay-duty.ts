/** The leader keeps the streams to the management server. */
import { Secrets } from '@meshrelay/kube';
import { NAMESPACE } from '@meshrelay/relay-core';
import { DISCOVERED_KINDS, POLICY_KINDS } from '../input/kinds.ts';
import { agentStateHandler } from '../invoke/agent-state.ts';
import { RelayWork } from '../relay/relay-work.ts';
import { PROGRAM } from '../status/program.ts';
import type { LeaderDuty } from './duties.ts';

export const relayDuty: LeaderDuty = {
  name: 'relay',
  who: 'leader',
  start({ config, connection, clock, random, tracer, logger, reign }) {
    const { ledger, table, kinds, applier, identity, term } = reign;
    if (ledger === undefined) throw new Error('the relay starts after the output ledger; mend the order of duties');
    const relay = new RelayWork({
      relay: config.relay,
      term,
      identity,
      table,
      pushed: [...DISCOVERED_KINDS, ...POLICY_KINDS, NAMESPACE, ...kinds.reported],
      written: kinds.taken,
      applier,
      vector: () => ledger.vector,
      vectorMoved: (vector) => ledger.note(vector),
      // Another leader there is none, as far as the Lease tells: the ledger was lost, and a higher term is needed.
      outdated: (reason) => reign.endBecause(reason),
      handlers: { 'agent.state': agentStateHandler(config.relay.cluster, reign) },
      program: PROGRAM,
      secrets: new Secrets(connection, config.namespace),
      clock,
      random,
      tracer,
      logger: logger.child('relay'),
    });
    reign.relay = relay;
    return relay;
  },
};
