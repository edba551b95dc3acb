/** Leader: maintains the streams to the management server. */
import { NAMESPACE } from '@meshrelay/relay-core';
import { DISCOVERED_KINDS, POLICY_KINDS } from '../input/kinds.ts';
import { agentStateHandler } from '../invoke/agent-state.ts';
import { observeHandlers } from '../observe/handlers.ts';
import { RelayWork } from '../relay/relay-work.ts';
import { PROGRAM } from '../status/program.ts';
import type { MemberController } from './controllers.ts';

export const relayController: MemberController = {
  name: 'relay',
  runsOn: 'leader',
  start({ config, tracer, logger, leaderTerm }) {
    const { ledger, transport, table, kinds, applier, term, observer } = leaderTerm;
    if (ledger === undefined || transport === undefined)
      throw new Error(
        'the relay streams need the output ledger and the server transport; start this controller after both',
      );
    const relay = new RelayWork({
      cluster: config.relay.cluster,
      transport,
      term,
      table,
      pushed: [...DISCOVERED_KINDS, ...POLICY_KINDS, NAMESPACE, ...kinds.reported],
      written: kinds.taken,
      applier,
      vector: () => ledger.vector,
      vectorMoved: (vector) => ledger.note(vector),
      // According to the Lease, no other replica leads: the ledger was lost, and a higher term is needed.
      outdated: (reason) => leaderTerm.stop(reason),
      handlers: {
        'agent.state': agentStateHandler(config.relay.cluster, leaderTerm),
        ...(observer === undefined ? {} : observeHandlers(observer)),
      },
      program: PROGRAM,
      tracer,
      logger: logger.child('relay'),
    });
    leaderTerm.relay = relay;
    return relay;
  },
};
