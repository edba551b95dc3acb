/** The leader answers the server for the whole cluster: for itself and for the other replicas. */
import { Secrets } from '@meshrelay/kube';
import { ClusterObserver } from '../observe/cluster-observer.ts';
import { AgentPeers } from '../peers/agent-peers.ts';
import type { LeaderDuty } from './duties.ts';

/** Milliseconds between two looks at the keys of the replicas, and after one that failed. */
const UPKEEP = { every: 3_600_000, retry: 10_000 };

export const observeDuty: LeaderDuty = {
  name: 'observe',
  who: 'leader',
  start({ config, connection, observer, replica, clock, now, logger, reign }) {
    const { enabled, listen, selector } = config.peers;
    const log = logger.child('peers');
    const peers = new AgentPeers({
      connection,
      secrets: new Secrets(connection, config.namespace),
      namespace: config.namespace,
      selector,
      replica,
      port: listen.port,
      inCluster: config.kubernetes.kubeconfig === undefined,
      check: () => reign.fence.check(),
      now,
    });
    const nobody = { find: async () => [], observer: peers.observer.bind(peers) };
    reign.observer = new ClusterObserver({
      replica,
      own: observer,
      peers: enabled ? peers : nobody,
      sleep: (milliseconds, signal) => clock.sleep(milliseconds, signal),
      now,
    });
    const stop = new AbortController();
    const upkeep = async (): Promise<void> => {
      while (!stop.signal.aborted) {
        const pause = await peers.upkeep().then(
          () => UPKEEP.every,
          (error: unknown) => {
            log.warn('the keys of the replicas cannot be kept; it is tried again', { error });
            return UPKEEP.retry;
          },
        );
        await clock.sleep(pause, stop.signal);
      }
    };
    const running = enabled ? upkeep() : Promise.resolve();
    return {
      async [Symbol.asyncDispose]() {
        stop.abort();
        reign.observer = undefined;
        await running;
      },
    };
  },
};
