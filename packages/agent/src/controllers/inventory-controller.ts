/** Leader: stores applied outputs in the cluster, and starts from those of the previous leader. */
import { AppliedInventory } from '../apply/inventory.ts';
import type { MemberController } from './controllers.ts';

export const inventoryController: MemberController = {
  name: 'inventory',
  runsOn: 'leader',
  async start({ config, connection, clock, logger, leaderTerm }) {
    const { desired, fence, kinds, rights, requestSignal } = leaderTerm;
    const inventory = await AppliedInventory.open({
      connection,
      namespace: config.namespace,
      desired,
      fence,
      admission: { kinds, rights, owner: config.managementNamespace },
      isUnconfirmed: (output) => leaderTerm.writer.isUnconfirmed(output),
      requestSignal,
      clock,
      logger: logger.child('inventory'),
    });
    leaderTerm.inventory = inventory;
    return inventory;
  },
};
