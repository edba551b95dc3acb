/** Maintains the keys of a group periodically. */
import { type Clock, ReconcileLoop } from '@meshrelay/concurrency';
import type { Logger } from '@meshrelay/telemetry';
import type { PeerKeyring } from './peer-keyring.ts';

/** Milliseconds between two checks, and after a failed one. */
const PAUSE = { looked: 3_600_000, failed: 10_000 };

/** Checks at once, then periodically and at each trigger, until disposed. */
export function maintainPeerKeys(keyring: Pick<PeerKeyring, 'upkeep'>, clock: Clock, logger: Logger): ReconcileLoop {
  return new ReconcileLoop(clock, async () => {
    try {
      await keyring.upkeep();
      return PAUSE.looked;
    } catch (error) {
      logger.warn('the keys of the replicas cannot be stored; the replica retries', { error });
      return PAUSE.failed;
    }
  });
}
