/** The leader keeps what it applied in the cluster, and begins with what the leader before it had kept. */
import { AppliedInventory } from '../apply/inventory.ts';
import type { MemberDuty } from './duties.ts';

export const inventoryDuty: MemberDuty = {
  name: 'inventory',
  who: 'leader',
  async start({ config, connection, clock, logger, reign }) {
    const { desired, fence, kinds, rights, requestSignal } = reign;
    const inventory = await AppliedInventory.open({
      connection,
      namespace: config.namespace,
      desired,
      fence,
      judge: { kinds, rights, owner: config.managementNamespace },
      isInDoubt: (output) => reign.writer.isInDoubt(output),
      requestSignal,
      clock,
      logger: logger.child('inventory'),
    });
    reign.inventory = inventory;
    return inventory;
  },
};
