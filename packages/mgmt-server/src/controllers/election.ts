/** Leader election among the server's replicas; the leader runs the controllers. */
import { LeaderElector, type LeaderElectorOptions, type LeaseClient, uniqueIdentity } from '@meshrelay/agent-leader';
import { coordinationLeases } from '@meshrelay/agent-leader/coordination';
import { ElectionLog } from '@meshrelay/cluster-controllers';
import { ConfigError } from '@meshrelay/host';
import type { KubeConnection } from '@meshrelay/kube';
import { SERVER_LEASE } from '@meshrelay/relay-core';
import type { Logger } from '@meshrelay/telemetry';
import type { ServerConfig } from '../config/config.ts';
import type { LeaderControllers } from './controllers.ts';

export interface ElectionOptions {
  readonly config: Pick<ServerConfig, 'namespace' | 'leaderElection'>;
  readonly connection: KubeConnection;
  readonly replica: string;
  readonly controllers: LeaderControllers;
  readonly logger: Logger;
}

/** A running election. */
export interface Election {
  /** Stops the controllers, then releases the Lease. */
  stop(): Promise<void>;
}

/** Contends for the Lease until stopped. @throws ConfigError if the durations contradict each other */
export function startElection({ config, connection, replica, controllers, logger }: ElectionOptions): Election {
  const stop = new AbortController();
  const { leaseDuration, renewDeadline, retryPeriod } = config.leaderElection;
  let renewedAt: Date | undefined;
  const { failed, recovered } = new ElectionLog(logger);
  const elector = newElector({
    leases: observingRenewals(coordinationLeases(connection.coordinationApi()), (time) => {
      renewedAt = time;
    }),
    name: SERVER_LEASE,
    namespace: config.namespace,
    identity: uniqueIdentity(replica),
    ...(leaseDuration === undefined ? {} : { leaseDuration }),
    ...(renewDeadline === undefined ? {} : { renewDeadline }),
    ...(retryPeriod === undefined ? {} : { retryPeriod }),
    onError: failed,
    onRecovered: recovered,
    onStartedLeading: async (term, signal) => {
      logger.info('this replica leads', { term });
      await controllers.run(signal, renewedAt);
      logger.info('this replica no longer leads', { term });
    },
  });
  const running = elector.run(stop.signal).catch((error: unknown) => logger.error('election ended', { error }));
  return {
    async stop() {
      stop.abort();
      await running;
    },
  };
}

/** Reports the last renewal time of the Lease at each read. The elector reads the Lease before it acquires it. */
function observingRenewals(leases: LeaseClient, onRead: (renewedAt: Date | undefined) => void): LeaseClient {
  return {
    ...leases,
    async get(namespace, name, signal) {
      const lease = await leases.get(namespace, name, signal);
      const time = new Date(lease?.spec?.renewTime ?? Number.NaN);
      onRead(Number.isNaN(time.getTime()) ? undefined : time);
      return lease;
    },
  };
}

function newElector(options: LeaderElectorOptions): LeaderElector {
  try {
    return new LeaderElector(options);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new ConfigError(`leaderElection: ${cause.message}`, { cause });
  }
}
