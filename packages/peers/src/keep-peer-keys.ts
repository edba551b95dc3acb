/** Looks after the keys of a group from time to time. */
import type { Clock } from '@meshrelay/kube';
import type { Logger } from '@meshrelay/telemetry';
import type { PeerKeyring } from './peer-keyring.ts';

/** Milliseconds between two looks, and after one that failed. */
const PAUSE = { looked: 3_600_000, failed: 10_000 };

/** Begins at once, and ends when it is disposed of. */
export function keepPeerKeys(keyring: Pick<PeerKeyring, 'upkeep'>, clock: Clock, logger: Logger): AsyncDisposable {
  const stop = new AbortController();
  const upkeep = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const pause = await keyring.upkeep().then(
        () => PAUSE.looked,
        (error: unknown) => {
          logger.warn('the keys of the replicas cannot be kept; it is tried again', { error });
          return PAUSE.failed;
        },
      );
      await clock.sleep(pause, stop.signal);
    }
  };
  const running = upkeep();
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}
