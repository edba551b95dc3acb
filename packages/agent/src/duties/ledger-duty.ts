/** The leader follows the term and keeps the vector of what it applied. */
import { OutputLedgerStore } from '../apply/output-ledger.ts';
import type { MemberDuty } from './duties.ts';

export const ledgerDuty: MemberDuty = {
  name: 'output-ledger',
  who: 'leader',
  async start({ config, connection, clock, logger, status, reign }) {
    const ledger = await OutputLedgerStore.open({
      connection,
      namespace: config.namespace,
      fence: reign.fence,
      holder: status.identity,
      applied: () => reign.appliedOutputs(),
      requestSignal: reign.requestSignal,
      clock,
      logger: logger.child('output-ledger'),
    });
    reign.ledger = ledger;
    return ledger;
  },
};
