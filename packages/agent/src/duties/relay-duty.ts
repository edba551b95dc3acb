/** The leader keeps the streams to the management server. */
import { NAMESPACE } from '@meshrelay/relay-core';
import { DISCOVERED_KINDS, POLICY_KINDS } from '../input/kinds.ts';
import { agentStateHandler } from '../invoke/agent-state.ts';
import { observeHandlers } from '../observe/handlers.ts';
import { RelayWork } from '../relay/relay-work.ts';
import { PROGRAM } from '../status/program.ts';
import type { MemberDuty } from './duties.ts';

export const relayDuty: MemberDuty = {
  name: 'relay',
  who: 'leader',
  start({ config, tracer, logger, reign }) {
    const { ledger, road, table, kinds, applier, term, observer } = reign;
    if (ledger === undefined || road === undefined)
      throw new Error('streams begin after the output ledger, on a road that is laid; mend the order of duties');
    const relay = new RelayWork({
      cluster: config.relay.cluster,
      road,
      term,
      table,
      pushed: [...DISCOVERED_KINDS, ...POLICY_KINDS, NAMESPACE, ...kinds.reported],
      written: kinds.taken,
      applier,
      vector: () => ledger.vector,
      vectorMoved: (vector) => ledger.note(vector),
      // Another leader there is none, as far as the Lease tells: the ledger was lost, and a higher term is needed.
      outdated: (reason) => reign.stop(reason),
      handlers: {
        'agent.state': agentStateHandler(config.relay.cluster, reign),
        ...(observer === undefined ? {} : observeHandlers(observer)),
      },
      program: PROGRAM,
      tracer,
      logger: logger.child('relay'),
    });
    reign.relay = relay;
    return relay;
  },
};
