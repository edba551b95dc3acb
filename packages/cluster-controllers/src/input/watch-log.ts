/** Logs events of a watch. */
import type { KindState, WatchObserver } from '@meshrelay/kube';
import type { Logger } from '@meshrelay/telemetry';

/** @param kind such as `Pod` */
export function watchLog(logger: Logger, kind: string): WatchObserver {
  return {
    state: (state: KindState): void => {
      if (state.phase === 'retrying')
        logger.warn('watch failed', { kind, failures: state.failures, error: state.error });
      else logger.debug('watch', { kind, phase: state.phase });
    },
    faulty: (object: string, error: unknown): void => logger.warn('object cannot be ingested', { kind, object, error }),
  };
}
