/** Looks after the keys of a group from time to time. */
import { type Clock, ReconcileLoop } from '@meshrelay/kube';
import type { Logger } from '@meshrelay/telemetry';
import type { PeerKeyring } from './peer-keyring.ts';

/** Milliseconds between two looks, and after one that failed. */
const PAUSE = { looked: 3_600_000, failed: 10_000 };

/** Looks at once, then from time to time and whenever it is told to, until it is disposed of. */
export function maintainPeerKeys(keyring: Pick<PeerKeyring, 'upkeep'>, clock: Clock, logger: Logger): ReconcileLoop {
  return new ReconcileLoop(clock, async () => {
    try {
      await keyring.upkeep();
      return PAUSE.looked;
    } catch (error) {
      logger.warn('the keys of the replicas cannot be kept; it is tried again', { error });
      return PAUSE.failed;
    }
  });
}
