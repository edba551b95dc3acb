/** Leader: follows the term and stores the vector of the applied outputs. */
import { OutputLedgerStore } from '../apply/output-ledger.ts';
import type { MemberController } from './controllers.ts';

export const ledgerController: MemberController = {
  name: 'output-ledger',
  runsOn: 'leader',
  async start({ config, connection, clock, logger, status, leaderTerm }) {
    const ledger = await OutputLedgerStore.open({
      connection,
      namespace: config.namespace,
      fence: leaderTerm.fence,
      holder: status.identity,
      applied: () => leaderTerm.appliedOutputs(),
      requestSignal: leaderTerm.requestSignal,
      clock,
      logger: logger.child('output-ledger'),
    });
    leaderTerm.ledger = ledger;
    return ledger;
  },
};
